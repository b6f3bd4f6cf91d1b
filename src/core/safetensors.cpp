// Reading and writing of .safetensors files. The reader checks every number of the header before it
// uses the data. Big-endian machines are not supported.
#include "lgode/core/safetensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/hash.h"
#include "lgode/core/json_text.h"
#include "lgode/core/mapped_files.h"

namespace lgode {
namespace {

static_assert(std::endian::native == std::endian::little);

using Json = nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kMaxHeader = 100'000'000;  // what the reference implementation accepts
constexpr std::string_view kMetadataKey = "__metadata__";
constexpr std::string_view kPadPrefix = "__pad.";

struct DTypeEntry {
  std::string_view name;
  DType dtype;
  std::size_t size;
};
constexpr std::array<DTypeEntry, 15> kDTypes = {{{"U8", DType::kU8, 1},
                                                 {"I32", DType::kI32, 4},
                                                 {"I64", DType::kI64, 8},
                                                 {"F32", DType::kF32, 4},
                                                 {"F64", DType::kF64, 8},
                                                 {"BOOL", DType::kOther, 1},
                                                 {"I8", DType::kOther, 1},
                                                 {"F8_E4M3", DType::kOther, 1},
                                                 {"F8_E5M2", DType::kOther, 1},
                                                 {"I16", DType::kOther, 2},
                                                 {"U16", DType::kOther, 2},
                                                 {"F16", DType::kOther, 2},
                                                 {"BF16", DType::kOther, 2},
                                                 {"U32", DType::kOther, 4},
                                                 {"U64", DType::kOther, 8}}};

bool is_pad(std::string_view name) { return name.starts_with(kPadPrefix); }

std::size_t round_up(std::size_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; }

// The product of sizes, or nothing where it does not fit.
std::optional<std::int64_t> checked_product(const std::vector<std::int64_t>& factors) {
  // A zero makes the tensor empty, however large the others are.
  if (std::find(factors.begin(), factors.end(), 0) != factors.end()) return 0;
  std::int64_t product = 1;
  for (const std::int64_t factor : factors) {
    if (factor > std::numeric_limits<std::int64_t>::max() / product) return std::nullopt;
    product *= factor;
  }
  return product;
}

// One entry of the header: the tensor and the range of its bytes in the data section.
struct Entry {
  std::string name;
  DType dtype = DType::kOther;
  std::vector<std::int64_t> shape;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Parses and checks the header.
class HeaderReader {
 public:
  explicit HeaderReader(const MappedFile& file) : file_(file) {}

  // Where the data section starts.
  std::size_t data_start() const { return data_start_; }

  std::vector<Entry> read(std::map<std::string, std::string>& metadata) {
    const Json header = parse();
    std::vector<Entry> entries;
    for (const auto& [name, value] : header.items()) {
      if (name == kMetadataKey) {
        read_metadata(value, metadata);
      } else {
        entries.push_back(read_entry(name, value));
      }
    }
    check_ranges(entries);
    return entries;
  }

 private:
  [[noreturn]] void fail(const std::string& fault) const {
    throw DataError(fmt::format("{}: {}", file_.path().string(), fault));
  }

  Json parse() {
    const auto bytes = file_.bytes();
    if (bytes.empty()) fail("is empty, expected a safetensors file");
    if (bytes.size() < kLengthBytes) {
      fail(fmt::format("is not a safetensors file, or truncated: {} bytes, expected at least 8", bytes.size()));
    }
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), kLengthBytes);
    const std::size_t rest = bytes.size() - kLengthBytes;
    // The format has no magic number; the opening brace of the header is used as one.
    const bool brace = rest > 0 && static_cast<char>(bytes[kLengthBytes]) == '{';
    if (!brace || length > kMaxHeader) fail("is not a safetensors file (it does not start with a header)");
    if (length > rest) {
      fail(fmt::format("is truncated: its header should have {} bytes, only {} are there", length, rest));
    }
    data_start_ = kLengthBytes + static_cast<std::size_t>(length);
    const auto* text = reinterpret_cast<const char*>(bytes.data()) + kLengthBytes;
    Json header;
    try {
      header = Json::parse(text, text + length);
    } catch (const Json::parse_error& error) {
      // Its own message quotes what was read, which may not be text.
      fail(fmt::format("has a damaged header, not JSON from byte {} on", error.byte));
    } catch (const Json::exception&) {
      fail("has a damaged header, not JSON: a number is too large");
    }
    if (!header.is_object()) fail("has a damaged header: expected a JSON object");
    return header;
  }

  void read_metadata(const Json& value, std::map<std::string, std::string>& metadata) const {
    if (!value.is_object()) fail("has a damaged header: __metadata__ is not an object");
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string()) fail(fmt::format("has a damaged header: metadata '{}' is not a text", key));
      metadata[key] = text.get<std::string>();
    }
  }

  std::size_t read_size(const std::string& name, const Json& value) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max()) {
      fail(fmt::format("has a damaged header: tensor '{}' has the size or offset {}", name, json_text(value)));
    }
    return value.get<std::uint64_t>();
  }

  Entry read_entry(const std::string& name, const Json& value) const {
    const bool whole = value.is_object() && value.contains("dtype") && value["dtype"].is_string() &&
                       value.contains("shape") && value["shape"].is_array() && value.contains("data_offsets") &&
                       value["data_offsets"].is_array() && value["data_offsets"].size() == 2;
    if (!whole) {
      fail(fmt::format("has a damaged header: tensor '{}' needs dtype (text), shape (list), data_offsets (two numbers)",
                       name));
    }
    Entry entry;
    entry.name = name;
    for (const Json& size : value["shape"]) entry.shape.push_back(static_cast<std::int64_t>(read_size(name, size)));
    entry.begin = read_size(name, value["data_offsets"][0]);
    entry.end = read_size(name, value["data_offsets"][1]);
    const std::size_t available = file_.bytes().size() - data_start_;
    if (entry.begin > entry.end) fail(fmt::format("has a damaged header: tensor '{}' ends before it begins", name));
    if (entry.end > available) {
      fail(fmt::format("is truncated: tensor '{}' should end at byte {} of the data, only {} are there", name,
                       entry.end, available));
    }
    check_extent(entry, value["dtype"].get<std::string>());
    return entry;
  }

  // Shape, type and number of bytes must agree; for an unknown type nothing can be checked.
  void check_extent(Entry& entry, const std::string& type) const {
    const auto elements = checked_product(entry.shape);
    if (!elements) fail(fmt::format("has a damaged header: tensor '{}' has an impossible shape", entry.name));
    const auto* known = std::find_if(kDTypes.begin(), kDTypes.end(), [&](const auto& e) { return e.name == type; });
    if (known == kDTypes.end()) return;
    entry.dtype = known->dtype;
    const std::size_t bytes = entry.end - entry.begin;
    if (bytes % known->size != 0 || bytes / known->size != static_cast<std::size_t>(*elements)) {
      fail(fmt::format("has a damaged header: tensor '{}' has {} elements of type {} but {} bytes", entry.name,
                       *elements, type, bytes));
    }
  }

  // Together the tensors must cover the data section: no overlap, no gap, nothing after the last.
  void check_ranges(std::vector<Entry>& entries) const {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
    std::size_t end = 0;
    for (const Entry& entry : entries) {
      if (entry.begin != end) {
        fail(fmt::format("has a damaged header: tensor '{}' {}: it starts at byte {} of the data, expected {}",
                         entry.name, entry.begin < end ? "overlaps another" : "comes after a gap", entry.begin, end));
      }
      end = entry.end;
    }
    const std::size_t available = file_.bytes().size() - data_start_;
    if (end != available) {
      fail(fmt::format("has {} bytes of data, its header accounts for {}", available, end));
    }
  }

  const MappedFile& file_;
  std::size_t data_start_ = 0;
};

// The map, and copies of the tensors that are not aligned in it.
struct Storage {
  explicit Storage(std::filesystem::path path) : file(std::move(path)) {}
  MappedFile file;
  std::vector<std::vector<std::uint64_t>> copies;

  std::span<const std::byte> aligned(std::span<const std::byte> bytes, std::size_t alignment) {
    if (bytes.empty() || reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment == 0) return bytes;
    auto& copy = copies.emplace_back((bytes.size() + 7) / 8);
    std::memcpy(copy.data(), bytes.data(), bytes.size());
    return std::as_bytes(std::span(copy)).first(bytes.size());
  }
};

void check_content(const std::filesystem::path& path, const SafetensorsContent& content) {
  std::set<std::string_view> names;
  for (const auto& [name, view] : content.tensors) {
    const auto elements = checked_product(view.shape);
    const bool reserved = name == kMetadataKey || is_pad(name);
    const char* fault = reserved                      ? "has a reserved name"
                        : !names.insert(name).second  ? "comes twice"
                        : view.dtype == DType::kOther ? "has a type that cannot be written"
                        : !elements || static_cast<std::size_t>(*elements) * dtype_size(view.dtype) != view.bytes.size()
                            ? "has a shape that contradicts its size"
                            : nullptr;
    if (fault != nullptr)
      throw DataError(fmt::format("{}: cannot be written: tensor '{}' {}", path.string(), name, fault));
  }
}

// kChecksumKey. `tensors`: pairs of name and TensorView, in the order of their names.
std::string checksum(const std::map<std::string, std::string>& metadata, const auto& tensors) {
  Hash hash;
  for (const auto& [key, text] : metadata)
    if (key != kChecksumKey) hash.add(key), hash.add(text);
  for (const auto& [name, view] : tensors) {
    hash.add(name), hash.add(dtype_name(view.dtype));
    hash.add(std::span<const std::int64_t>(view.shape)), hash.add_wide(view.bytes);
  }
  return hash.text();
}

std::string checksum(const SafetensorsContent& content) {
  std::map<std::string_view, const TensorView*> in_order;
  for (const auto& [name, view] : content.tensors) in_order[name] = &view;
  std::vector<std::pair<std::string_view, const TensorView&>> tensors;
  tensors.reserve(in_order.size());
  for (const auto& [name, view] : in_order) tensors.emplace_back(name, *view);
  return checksum(content.metadata, tensors);
}

// The header, padded so that the data section starts aligned.
std::string build_header(const std::filesystem::path& path, const SafetensorsContent& content) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  std::map<std::string, std::string> metadata = content.metadata;
  metadata[kChecksumKey] = checksum(content);
  header[std::string(kMetadataKey)] = metadata;
  std::size_t offset = 0;
  int pads = 0;
  const auto add = [&](const std::string& name, std::string_view dtype, const auto& shape, std::size_t size) {
    header[name] = {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {offset, offset + size}}};
    offset += size;
  };
  for (const auto& [name, view] : content.tensors) {
    const std::size_t gap = round_up(offset) - offset;
    if (gap > 0) add(fmt::format("{}{}", kPadPrefix, pads++), "U8", std::vector<std::size_t>{gap}, gap);
    add(name, dtype_name(view.dtype), view.shape, view.bytes.size());
  }
  std::string text;
  try {
    text = json_text(header);
  } catch (const nlohmann::json::exception&) {
    throw DataError(fmt::format("{}: cannot be written: a name or a text is not UTF-8", path.string()));
  }
  text.resize(round_up(kLengthBytes + text.size()) - kLengthBytes, ' ');
  if (text.size() > kMaxHeader) {
    throw DataError(fmt::format("{}: cannot be written: names and texts take {} bytes, the format allows {}",
                                path.string(), text.size(), kMaxHeader));
  }
  return text;
}

}  // namespace

std::string_view dtype_name(DType dtype) {
  if (dtype == DType::kOther) return "other";
  return std::find_if(kDTypes.begin(), kDTypes.end(), [&](const auto& e) { return e.dtype == dtype; })->name;
}

std::size_t dtype_size(DType dtype) {
  if (dtype == DType::kOther) return 1;
  return std::find_if(kDTypes.begin(), kDTypes.end(), [&](const auto& e) { return e.dtype == dtype; })->size;
}

std::int64_t TensorView::elements() const { return checked_product(shape).value_or(0); }

SafetensorsFile::SafetensorsFile(std::filesystem::path path) {
  const auto storage = std::make_shared<Storage>(std::move(path));
  file_ = std::shared_ptr<const MappedFile>(storage, &storage->file);  // owns the copies, too
  HeaderReader reader(storage->file);
  for (Entry& entry : reader.read(metadata_)) {
    if (is_pad(entry.name)) continue;
    const auto bytes = storage->file.bytes().subspan(reader.data_start() + entry.begin, entry.end - entry.begin);
    tensors_[entry.name] = {entry.dtype, std::move(entry.shape), storage->aligned(bytes, dtype_size(entry.dtype))};
  }
  compare_checksum();
}

void SafetensorsFile::compare_checksum() const {
  const auto said = metadata_.find(kChecksumKey);
  if (said == metadata_.end()) return;
  if (const std::string found = checksum(metadata_, tensors_); found != said->second)
    throw DataError(
        fmt::format("{}: is damaged: its content has the checksum {}, the file says {}; if another program changed it "
                    "on purpose, remove '{}' from its metadata",
                    path().string(), found, said->second, kChecksumKey));
  // Whoever only touches the file does not end a training. The views live as long as the map.
  mapped_files().compare_with(file_->bytes().data(), [metadata = metadata_, tensors = tensors_, said = said->second] {
    return checksum(metadata, tensors) == said;
  });
}

const std::filesystem::path& SafetensorsFile::path() const { return file_->path(); }

const TensorView& SafetensorsFile::at(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw DataError(fmt::format("{}: has no tensor '{}'", path().string(), name));
  return found->second;
}

const std::string& SafetensorsFile::meta(const std::string& key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end()) throw DataError(fmt::format("{}: has no metadata '{}'", path().string(), key));
  return found->second;
}

const TensorView& SafetensorsFile::checked(const std::string& name, DType dtype,
                                           std::span<const std::int64_t> shape) const {
  const TensorView& view = at(name);
  if (view.dtype != dtype) {
    throw DataError(fmt::format("{}: tensor '{}' has type {}, expected {}", path().string(), name,
                                dtype_name(view.dtype), dtype_name(dtype)));
  }
  const bool fits =
      shape.empty() || std::equal(shape.begin(), shape.end(), view.shape.begin(), view.shape.end(),
                                  [](std::int64_t want, std::int64_t is) { return want < 0 || want == is; });
  if (!fits) {
    throw DataError(fmt::format("{}: tensor '{}' has shape [{}], expected [{}] (-1: any)", path().string(), name,
                                fmt::join(view.shape, ", "), fmt::join(shape, ", ")));
  }
  return view;
}

void write_safetensors(const std::filesystem::path& path, Overwrite overwrite, const SafetensorsContent& content,
                       const std::filesystem::path& previous) {
  check_content(path, content);
  const std::string header = build_header(path, content);
  const auto fill = [&](FileSink& sink) {
    const std::uint64_t length = header.size();
    sink.write(std::as_bytes(std::span(&length, 1)));
    sink.write(header);
    std::size_t offset = 0;
    constexpr std::array<std::byte, kAlignment> kZeros{};
    for (const auto& [name, view] : content.tensors) {
      sink.write(std::span(kZeros).first(round_up(offset) - offset));
      sink.write(view.bytes);
      offset = round_up(offset) + view.bytes.size();
    }
  };
  write_file(path, overwrite, fill, previous);
}

}  // namespace lgode
