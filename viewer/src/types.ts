// The JSON that a page holds; docs/report-format.md describes it.
export interface Packed {
  low: number;
  high: number;
  data: string;
}

// The most probable futures of each object, at every n-th time of the path.
export interface FuturesData {
  count: number; // of an object
  total: number; // that the run predicts
  stride: number; // n
  probability: Packed; // of an object from the most probable one on
  values: Packed[]; // by feature: object, future, time
}

export interface SystemData {
  system: number;
  id: string;
  part: string;
  rank: string;
  place: number;
  of: number;
  mse: number | null;
  surprise?: number | null; // mean over objects of the final distance of the nearest future from the truth
  forecast: boolean;
  begin: number;
  start: number;
  end: number;
  objects: { ids: string[]; mse: (number | null)[]; total: number };
  observations: { counts: number[]; times: string; flags: string; values: Packed[] };
  path: { times: string; mean: Packed[]; low: Packed[]; high: Packed[] };
  futures?: FuturesData; // absent where the run predicts one path
  relations: number[];
  relations_total: number;
}

export interface RunState {
  name: string;
  state: "finished" | "stopped" | "training" | "failed";
  failure: string;
  has_weights: boolean;
  epochs_done: number;
  epochs_planned: number | null; // null: until the validation error no longer falls
  steps: number;
}

export interface Setting {
  key: string;
  group: string;
  value: unknown;
  default?: unknown;
  changed: boolean;
  help?: string;
}

export interface Epoch {
  epoch: number;
  steps: number;
  validation_mse?: number | null;
  train_mse?: number | null;
  loss?: number | null;
  lr?: number | null;
  best?: boolean;
}

export interface Feature {
  name: string;
  unit: string;
  position: boolean;
}

export interface DataFacts {
  name: string;
  path: string;
  source: string;
  train_systems: number;
  test_systems: number;
  fewest_objects: number;
  most_objects: number;
  observations: number;
  features: Feature[];
  relation_types: string[];
  relations: string;
  time_unit: string;
  time_origin: string;
}

export interface Bin {
  begin: number;
  end: number;
  mse: number | null;
  values: number;
  ade?: number | null; // mean distance of positions in this part, in their unit
  min_ade?: number | null; // the same of the best future
}

// A classical method; without own_forecasts, another one has the same forecasts.
export interface Method {
  key: string;
  name: string;
  own_forecasts: boolean;
}

// A number of Scores: a squared error in normalised units, or in original units, a share or a logarithm.
export interface Metric {
  key: string;
  name: string;
  unit: "squared" | "original" | "share" | "nats";
}

// What metrics over positions are measured in; without features there are none, and the note says why.
export interface Positions {
  features: string[];
  futures: number; // 0: one path
  metrics: Metric[];
  note: string;
  unit?: string;
  miss_distance?: number;
  collision_distance?: number;
}

export interface Scores {
  mse: number | null;
  distance?: number | null; // mean distance of positions, in their unit
  mse_unseen: number | null;
  horizon: Bin[];
  systems: number;
  objects: number;
  values: number;
  features: { feature: string; mse: number | null; rmse: number | null; unit: string }[];
}

export interface IntervalPart {
  values: number;
  coverage: Record<string, number | null>;
  width: Record<string, number | null>;
  interval_score: number | null;
  crps: number | null;
}

export interface IntervalScores extends IntervalPart {
  horizon: (IntervalPart & { begin: number; end: number })[];
}

export interface Evaluation {
  task: string;
  observed: number;
  model: string;
  variant: string;
  protocol: string;
  seed: number;
  epochs: number;
  split: string;
  evaluation: {
    model: Scores;
    classical: Record<string, Scores>;
    intervals?: { model: IntervalScores; classical: Record<string, IntervalScores> };
    positions?: Positions; // absent on pages of earlier versions
  };
  // What the evaluation comes to, in a sentence; absent on pages of earlier versions.
  verdict?: { kind: "ahead" | "undecided" | "behind" | "none"; against: string; text: string; advice: string; worst?: string };
  promise: { calibrated: boolean; calibrated_systems?: number; reach?: number; holds?: boolean; differences?: string[] };
  version: string;
  commit: string;
  machine: string;
  data: string;
  data_name: string;
}

export type ObjectErrors =
  | { by: "name"; rows: { id: string; mse: number | null; systems: number }[] }
  | { by: "error"; count: number; low: number; high: number; counts: number[]; quantiles: (number | null)[] }
  | { by: "none"; count: number };

export interface RunReport {
  format: number;
  made_by: { version: string; commit: string };
  methods?: Method[];
  metrics?: Metric[];
  kind: "run";
  run: RunState;
  settings: Setting[];
  curve: Epoch[];
  left_out: string[];
  note?: string;
  data?: DataFacts;
  evaluation?: Evaluation | null;
  paper?: { row: string; mse: number }[];
  objects?: ObjectErrors;
  system_errors?: (number | null)[];
  systems?: SystemData[];
  licences: string;
}

export interface CompareReport {
  format: number;
  made_by: { version: string; commit: string };
  methods?: Method[];
  metrics?: Metric[];
  kind: "compare";
  runs: (RunReport & { path: string })[];
  licences: string;
}

export type Report = RunReport | CompareReport;
