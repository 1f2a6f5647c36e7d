// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/files/tensor_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/model/not_finite.h"

namespace attn {
namespace {

// The tensors of layers that the files lack as a whole are one kind of missing tensors. This begins
// the name of that kind, and the prefix of the layers follows.
constexpr std::string_view kWholeLayers = "layers of ";

bool is_readable(std::optional<DType> dtype) {
  return dtype == DType::kF64 || dtype == DType::kF32 || dtype == DType::kF16 ||
         dtype == DType::kBF16;
}

std::string names_of(const std::vector<Axis>& axes) {
  std::vector<std::string_view> names;
  for (const Axis& axis : axes) names.push_back(axis.name);
  return fmt::format("[{}]", fmt::join(names, ", "));
}

// Names the axes that differ: "hidden_size". If the tensor has more or fewer axes, names all.
std::string unfit_axes(const std::vector<Axis>& axes, const Shape& found) {
  if (found.size() != axes.size()) return names_of(axes);
  std::vector<std::string_view> names;
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i] != axes[i].size) names.push_back(axes[i].name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// The name with # in place of each number that stands after a point or at the beginning:
// "mlp.experts.7.up_proj" and "mlp.experts.8.up_proj" become the same.
std::string without_numbers(std::string_view name) {
  std::string kind;
  for (const char c : name)
    if (c < '0' || c > '9')
      kind += c;
    else if (kind.empty() || kind.back() != '#')
      kind += kind.empty() || kind.back() == '.' ? '#' : c;
  return kind;
}

constexpr int kMostWorkers = 16;
// How many threads read: at most `most`, where this is not 0.
int num_workers(int64_t most = 0) {
  const int workers = std::min(kMostWorkers, ThreadPool::hardware_workers());
  return most > 0 ? static_cast<int>(std::min<int64_t>(most, workers)) : workers;
}

// Counts what has been read, and calls `progress` with the share. Only the thread that made this
// object calls `progress`.
class ReadProgress {
 public:
  // total: bytes of all wanted tensors in the files
  ReadProgress(const std::function<bool(double)>& progress, int64_t total)
      : progress_(progress), total_(std::max(1.0, static_cast<double>(total))) {}

  void begin(const std::string& name, const TensorEntry& entry) {
    before_ += bytes_;
    name_ = name;
    bytes_ = static_cast<double>(entry.end - entry.begin);
    rows_ = 0;
    tell(before_);
  }
  // `rows` more rows of the tensor were read, of `all` that it has. Any thread.
  void add(int64_t rows, int64_t all) {
    const int64_t read = rows_.fetch_add(rows, std::memory_order_relaxed) + rows;
    if (std::this_thread::get_id() != thread_) return;
    const double now = before_ + bytes_ * static_cast<double>(read) / static_cast<double>(all);
    if (now - told_ >= kTellBytes) tell(now);
  }

 private:
  static constexpr double kTellBytes = 4 << 20;
  void tell(double bytes) {
    told_ = bytes;
    if (progress_ && !progress_(bytes / total_))
      throw Error(ErrorCode::kCancelled, {"loading was cancelled", name_, "", "", ""});
  }

  const std::function<bool(double)>& progress_;
  const double total_;
  const std::thread::id thread_ = std::this_thread::get_id();
  std::string name_;
  double before_ = 0, bytes_ = 0, told_ = 0;  // bytes: before this tensor, of it, last reported
  std::atomic<int64_t> rows_{0};
};

struct BadNumbers {
  std::mutex mutex;
  int64_t count = 0, first = 0;

  // Adds `more` bad numbers, the first of which is at index `at`. Any thread.
  void add(int64_t at, int64_t more) {
    const std::lock_guard lock(mutex);
    first = count == 0 ? at : std::min(first, at);
    count += more;
  }
};

Shape place_of(int64_t index, const Shape& shape) {
  Shape place(shape.size());
  for (size_t axis = shape.size(); axis-- > 0; index /= shape[axis])
    place[axis] = index % shape[axis];
  return place;
}

}  // namespace

std::vector<float> f32_values(const Tensor& tensor) {
  const Tensor wide = convert(tensor, DType::kF32);
  return {wide.span<float>().begin(), wide.span<float>().end()};
}

Shape TensorReader::Wanted::shape() const {
  Shape shape;
  for (const Axis& axis : axes) shape.push_back(axis.size);
  return shape;
}

void TensorReader::layers(std::string prefix, Axis count) {
  layers_.push_back({std::move(prefix), std::move(count)});
}

void TensorReader::take(std::string name, std::vector<Axis> axes, Taker taker) {
  wanted_.push_back({std::move(name), std::move(axes), std::move(taker), {}, "", false});
}

void TensorReader::take_matrix(std::string name, std::vector<Axis> axes, MatrixTaker taker,
                               std::string advice, bool is_whole) {
  wanted_.push_back(
      {std::move(name), std::move(axes), {}, std::move(taker), std::move(advice), is_whole});
}

void TensorReader::take(std::string name, std::vector<Axis> axes, std::vector<float>& to) {
  take(std::move(name), std::move(axes), [&to](const Tensor& tensor) { to = f32_values(tensor); });
}

const TensorReader::Layers* TensorReader::layers_of(std::string_view name) const {
  const auto found = std::ranges::find_if(
      layers_, [&](const Layers& layers) { return name.starts_with(layers.prefix); });
  return found == layers_.end() ? nullptr : &*found;
}

// The prefix "model.layers.7." of a tensor of a layer; "" for other tensors.
std::string TensorReader::layer_of(std::string_view name) const {
  const Layers* layers = layers_of(name);
  return layers ? std::string(name.substr(0, name.find('.', layers->prefix.size()) + 1)) : "";
}

void TensorReader::check(Problems& problems) const {
  struct Kind {
    const Wanted* first;
    int64_t count = 0;
  };
  // One wrong key of config.json affects many tensors, so each kind of problem is reported once,
  // with the first tensor that has it.
  std::vector<std::pair<std::string, Kind>> missing, unfit;
  const auto add = [](auto& kinds, std::string name, const Wanted& wanted) {
    auto kind = std::ranges::find(kinds, name, [](const auto& entry) { return entry.first; });
    if (kind == kinds.end()) kind = kinds.insert(kind, {std::move(name), Kind{&wanted}});
    ++kind->second.count;
  };
  std::map<std::string, Kind> unreadable;
  for (const Wanted& wanted : wanted_) {
    const TensorEntry* entry = files_.find(wanted.name);
    if (!entry) {
      const std::string layer = layer_of(wanted.name);
      const bool whole = !layer.empty() && !files_.has_any(layer);
      add(missing,
          whole ? std::string(kWholeLayers) + layers_of(wanted.name)->prefix
                : without_numbers(wanted.name.substr(layer.size())),
          wanted);
      continue;
    }
    if (entry->shape != wanted.shape()) add(unfit, unfit_axes(wanted.axes, entry->shape), wanted);
    if (!is_readable(entry->dtype))
      ++unreadable.try_emplace(entry->dtype_name, Kind{&wanted}).first->second.count;
  }
  const auto others = [](const Kind& kind, const std::string& how) {
    return kind.count == 1
               ? ""
               : fmt::format("; and {} {}", counted(kind.count - 1, "more tensor", "more tensors"),
                             how);
  };
  const std::string described = files_.description();
  const auto stored_at = [&](const std::string& name) {
    return fmt::format("{}, {}", files_.file_of(name), files_.stored_name(name));
  };
  for (const auto& [name, kind] : missing) {
    const Wanted& wanted = *kind.first;
    const std::string file = files_.file_of(wanted.name), stored = files_.stored_name(wanted.name);
    const std::string found = fmt::format("no {}{}", stored, others(kind, "like it"));
    if (!name.starts_with(kWholeLayers)) {
      problems.add({ErrorCode::kBadInput,
                    {"tensor is missing", file, found,
                     fmt::format("{} of shape {}", stored, to_string(wanted.shape())),
                     wanted.advice.empty() ? "It is required by " + described : wanted.advice}});
      continue;
    }
    const auto& [prefix, layers] = *layers_of(wanted.name);
    int64_t there = 0;
    for (int64_t i = 0; i < layers.size; ++i)
      there += files_.has_any(fmt::format("{}{}.", prefix, i)) ? 1 : 0;
    problems.add({ErrorCode::kBadInput,
                  {"tensor is missing", file, found,
                   fmt::format("{}, by {} of {}", counted(layers.size, "layer", "layers"),
                               layers.name, described),
                   fmt::format("The files have {}", counted(there, "of them", "of them"))}});
  }
  for (const auto& [name, kind] : unfit)
    problems.add({ErrorCode::kBadInput,
                  {"tensor does not fit " + described, stored_at(kind.first->name),
                   to_string(files_.find(kind.first->name)->shape), to_string(kind.first->shape()),
                   fmt::format("Shape by {}: {}{}", described, names_of(kind.first->axes),
                               others(kind, fmt::format("where {} does not fit", name)))}});
  for (const auto& [name, kind] : unreadable)
    problems.add({ErrorCode::kNotSupported,
                  {"weights of this element type are not supported", stored_at(kind.first->name),
                   kind.count == 1 ? name : fmt::format("{} in {} tensors", name, kind.count),
                   files_.element_types(), ""}});
}

std::string TensorReader::unused() const {
  std::set<std::string_view> used;
  for (const Wanted& wanted : wanted_) used.insert(wanted.name);
  std::vector<std::string> first;
  size_t count = 0;
  for (const std::string& name : files_.names()) {
    const auto ends_name = [&](const std::string& ending) { return name.ends_with(ending); };
    if (used.contains(name) || std::ranges::any_of(ignored_, ends_name)) continue;
    if (++count <= 3) first.push_back(quote_text(name));
  }
  if (count == 0) return "";
  return fmt::format("{} of the files {} not part of this model and {} ignored: {}{}.",
                     counted(count, "tensor", "tensors"), count == 1 ? "is" : "are",
                     count == 1 ? "is" : "are", fmt::join(first, ", "),
                     count > first.size() ? ", ..." : "");
}

int64_t TensorReader::stored_bytes() const {
  int64_t bytes = 0;
  for (const Wanted& wanted : wanted_)
    if (const TensorEntry* entry = files_.find(wanted.name))
      bytes += static_cast<int64_t>(entry->end - entry->begin);
  return bytes;
}

int64_t TensorReader::needed_bytes() const {
  int64_t kept = 0, on_its_way = 0;
  for (const Wanted& wanted : wanted_) {
    const TensorEntry& entry = *files_.find(wanted.name);
    const int64_t count = element_count(wanted.shape());
    int64_t read = static_cast<int64_t>(size_of(entry.dtype.value())) * count;
    if (entry.dtype == DType::kF64) read += 4 * count;  // with its f32 copy
    if (!wanted.matrix_taker) {
      kept += 4 * count;
    } else {
      const int64_t rows = wanted.axes[0].size, columns = wanted.axes[1].size;
      const WeightType type = matrix_type_of(entry);
      kept += WeightMatrix::bytes(type, rows, columns);
      if (entry.dtype != DType::kF64)
        read = WeightMatrix::bytes_of_workers(type, rows, columns, num_workers()) +
               (wanted.is_whole ? rows * row_bytes(type, columns) : 0);
    }
    on_its_way = std::max(on_its_way, read);
  }
  return kept + on_its_way;
}

int64_t TensorReader::num_parameters() const {
  int64_t count = 0;
  for (const Wanted& wanted : wanted_) count += element_count(wanted.shape());
  return count;
}

std::vector<std::string> TensorReader::element_types() const {
  std::map<std::string, uint64_t> bytes;
  for (const Wanted& wanted : wanted_)
    if (const TensorEntry* entry = files_.find(wanted.name))
      bytes[entry->dtype_name] += entry->end - entry->begin;
  std::vector<std::string> types;
  for (const auto& [type, sum] : bytes) types.push_back(type);
  std::ranges::stable_sort(types, std::ranges::greater(),
                           [&](const std::string& type) { return bytes[type]; });
  return types;
}

std::string TensorReader::read(const std::function<bool(double)>& progress,
                               int64_t most_threads) const {
  ThreadPool pool(num_workers(most_threads));
  ReadProgress read_so_far(progress, stored_bytes());
  int64_t bad_numbers = 0, bad_tensors = 0;
  std::string first;
  for (const Wanted& wanted : wanted_) {
    read_so_far.begin(wanted.name, *files_.find(wanted.name));
    BadNumbers bad;
    Shape shape = wanted.shape();
    if (wanted.matrix_taker) {
      StoredMatrix matrix = files_.read_matrix(wanted.name);
      shape = matrix.shape;
      const int64_t columns = shape[1];
      matrix.pool = &pool;
      matrix.read = [&, type = matrix.type, read = std::move(matrix.read)](
                        int64_t begin, int64_t count, std::byte* to) {
        read(begin, count, to);
        const int64_t numbers = count * columns;
        if (const int64_t at = first_not_finite(type, to, numbers); at >= 0)
          bad.add(begin * columns + at, count_not_finite(type, to, numbers));
        read_so_far.add(count, shape[0]);
      };
      wanted.matrix_taker(matrix);
    } else {
      Tensor tensor = files_.read(wanted.name);
      if (tensor.dtype() == DType::kF64) tensor = convert(tensor, DType::kF32);
      if (const int64_t at = first_not_finite(tensor); at >= 0)
        bad.add(at, count_not_finite(tensor));
      wanted.taker(std::move(tensor));
    }
    if (bad.count == 0) continue;
    bad_numbers += bad.count;
    if (++bad_tensors == 1)
      first = fmt::format("{} at {}", wanted.name, to_string(place_of(bad.first, shape)));
  }
  if (bad_tensors == 0) return "";
  return fmt::format(
      "{} of the weights, in {}, {} NaN or infinite, the first one in {}. What is computed with "
      "{} can be NaN or infinite too.",
      counted(bad_numbers, "number", "numbers"), counted(bad_tensors, "tensor", "tensors"),
      bad_numbers == 1 ? "is" : "are", first, bad_numbers == 1 ? "it" : "them");
}

}  // namespace attn
