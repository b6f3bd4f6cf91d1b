// Every figure was read at its source. A method without a figure here has none that could be read.
#include "lgode/benchmark/published.h"

namespace lgode::benchmark {
namespace {

using Folds = std::vector<Figure>;
using Groups = std::vector<std::string_view>;

enum Place : std::size_t { kLmTraj, kEigen, kNmrf, kDdta, kTrajectron, kTrajImpute };

void pedestrians(std::vector<Published>& all) {
  const Groups groups = {"pairs"}, unknown = {"pairs", "everybody"};
  const auto add = [&](const Groups& of, Measure measure, std::string_view method, const Folds& folds, Figure mean,
                       Place source, bool from_others = false) {
    all.push_back({"eth-ucy", of, measure, method, folds, mean, source, from_others});
  };
  add(groups, Measure::kOne, "LMTraj-SUP, with the image",
      {{.6549, 1.0377}, {.2640, .4583}, {.5715, 1.1579}, {.5119, 1.0066}, {.3802, .7408}}, {.4765, .8803}, kLmTraj);
  add(groups, Measure::kOne, "LMTraj-SUP",
      {{.6724, 1.2388}, {.2498, .4331}, {.5723, 1.1612}, {.5090, 1.0018}, {.3827, .7471}}, {.4772, .9164}, kLmTraj);
  add(groups, Measure::kBest, "LMTraj-SUP, with the image",
      {{.4087, .5011}, {.1200, .1558}, {.2178, .3440}, {.1992, .3183}, {.1748, .2720}}, {.2241, .3182}, kLmTraj);
  add(groups, Measure::kBest, "LMTraj-SUP",
      {{.4106, .6188}, {.1212, .1595}, {.2188, .3465}, {.2018, .3225}, {.1756, .2760}}, {.2256, .3447}, kLmTraj);
  add(unknown, Measure::kBest, "EigenTrajectory-LB-EBM", {}, {.21, .34}, kEigen);
  all.push_back({"eth-ucy",
                 unknown,
                 Measure::kBest,
                 "NMRF",
                 {{.2531, .3746}, {.1125, .1683}, {.2763, .4872}, {.1806, .3040}, {.1405, .2475}},
                 {},
                 kNmrf});
  add(unknown, Measure::kBest, "DDTA", {{.37, .50}, {.11, .16}, {.21, .40}, {.17, .30}, {.11, .23}}, {.19, .32}, kDdta);
  all.push_back({"eth-ucy",
                 unknown,
                 Measure::kBest,
                 "Trajectron++ without the leak",
                 {{.67, 1.18}, {.18, .28}, {.30, .54}, {.25, .41}, {.18, .32}},
                 {},
                 kTrajectron,
                 true});
}

// Rows of TrajImpute's tables: every method run by its authors, not by the method's.
void hidden_frames(std::vector<Published>& all) {
  const auto forecast = [&](std::string_view method, const Folds& clean, const Folds& easy, const Folds& hard) {
    all.push_back({"eth-ucy", {"pairs"}, Measure::kBest, method, clean, {}, kTrajImpute, true});
    all.push_back({"trajimpute", {"easy"}, Measure::kBest, method, easy, {}, kTrajImpute, true});
    all.push_back({"trajimpute", {"hard"}, Measure::kBest, method, hard, {}, kTrajImpute, true});
  };
  forecast("Graph-TERN", {{.42, .58}, {.14, .23}, {.26, .45}, {.21, .37}, {.17, .29}},
           {{.77, .74}, {.15, .25}, {.27, .47}, {.22, .38}, {.18, .30}},
           {{.78, .77}, {1.68, 1.42}, {.50, .51}, {.96, 1.25}, {.37, .44}});
  forecast("LB-EBM-ET", {{.36, .53}, {.12, .19}, {.24, .43}, {.19, .33}, {.14, .24}},
           {{.37, .55}, {.13, .20}, {.30, .51}, {.20, .35}, {.16, .27}},
           {{.85, 1.07}, {3.31, 4.13}, {.64, 1.01}, {.37, .60}, {.27, .43}});
  forecast("SGCN-ET", {{.36, .57}, {.13, .21}, {.24, .43}, {.20, .35}, {.15, .26}},
           {{.42, .71}, {.14, .23}, {.29, .51}, {.22, .38}, {.17, .29}},
           {{1.07, 1.44}, {3.21, 3.92}, {.77, 1.21}, {.61, .97}, {.41, .63}});
  forecast("EqMotion", {{.40, .61}, {.12, .18}, {.23, .43}, {.18, .32}, {.13, .23}},
           {{.46, .62}, {.65, .68}, {.37, .61}, {.27, .43}, {.36, .54}},
           {{.47, .63}, {.72, .74}, {.39, .70}, {.28, .44}, {.37, .55}});
  forecast("TUTR", {{.40, .61}, {.11, .18}, {.23, .42}, {.18, .34}, {.13, .25}},
           {{.54, .73}, {1.31, 1.66}, {.31, .49}, {.24, .41}, {.25, .37}},
           {{1.12, 1.53}, {3.36, 3.95}, {.59, .85}, {.50, .77}, {.33, .50}});
  forecast("GP-Graph", {{.43, .63}, {.18, .30}, {.24, .42}, {.17, .31}, {.15, .29}},
           {{.45, .75}, {.19, .31}, {.25, .44}, {.18, .32}, {.29, .30}},
           {{.92, .93}, {1.89, 1.70}, {.53, .50}, {.58, .45}, {.36, .34}});
  const auto impute = [&](std::string_view method, const Folds& easy, const Folds& hard) {
    all.push_back({"trajimpute", {"impute-easy"}, Measure::kMae, method, easy, {}, kTrajImpute, true});
    all.push_back({"trajimpute", {"impute-hard"}, Measure::kMae, method, hard, {}, kTrajImpute, true});
  };
  impute("Transformer", {{3.1318}, {8.8847}, {3.0410}, {2.6288}, {2.1301}},
         {{3.2249}, {8.9096}, {3.9795}, {2.7532}, {2.2840}});
  impute("US-GAN", {{.6467}, {2.6327}, {.9158}, {.4832}, {.3861}}, {{3.0451}, {7.8833}, {1.9430}, {2.2846}, {1.8605}});
  impute("BRITS", {{1.4287}, {3.9033}, {1.0171}, {.7307}, {.5556}}, {{3.0371}, {7.6057}, {1.8028}, {2.3140}, {1.8051}});
  impute("M-RNN", {{5.2558}, {3.2133}, {6.8380}, {5.1152}, {5.0905}},
         {{5.3309}, {3.2443}, {6.9148}, {5.1921}, {5.1698}});
  impute("TimesNet", {{1.1353}, {7.4037}, {.6713}, {.3125}, {.2409}}, {{1.3656}, {7.9484}, {.9421}, {.5699}, {.5031}});
  impute("SAITS", {{.5031}, {2.1930}, {.1939}, {.2054}, {.1314}}, {{.9965}, {2.6050}, {.6158}, {.6277}, {.3632}});
}

}  // namespace

const std::vector<Source>& sources() {
  static const std::vector<Source> all = {
      {"README of LMTrajectory (CVPR 2024)", "https://github.com/InhwanBae/LMTrajectory"},
      {"README of EigenTrajectory (ICCV 2023)", "https://github.com/InhwanBae/EigenTrajectory"},
      {"README of NMRF (ICLR 2025), figures of the pre-trained models",
       "https://github.com/AdaCompNUS/NMRF_TrajectoryPrediction"},
      {"README of DDTA", "https://github.com/mjq-520/DDTA-Trajectory-Prediction-V1.0"},
      {"issue 53 of Trajectron++: a user ran it again after the leak was closed",
       "https://github.com/StanfordASL/Trajectron-plus-plus/issues/53"},
      {"README of TrajImpute (NeurIPS 2024), whose authors ran all methods",
       "https://github.com/Pranav-chib/TrajImpute"},
  };
  return all;
}

const std::vector<Published>& published() {
  static const std::vector<Published> all = [] {
    std::vector<Published> rows;
    pedestrians(rows);
    hidden_frames(rows);
    rows.push_back({"sdd", {"everybody"}, Measure::kBest, "NMRF", {{7.0960, 11.1058}}, {}, kNmrf});
    rows.push_back({"sdd", {"everybody"}, Measure::kBest, "DDTA", {{6.47, 10.45}}, {}, kDdta});
    return rows;
  }();
  return all;
}

}  // namespace lgode::benchmark
