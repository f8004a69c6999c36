#include "engine/profiles.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/build_failure.h"

namespace trtscope {
namespace {

constexpr const char* kWords[] = {"minShapes", "optShapes", "maxShapes"};

struct Input {
  std::string name;
  std::vector<std::int64_t> extents;  // -1: dynamic

  bool dynamic() const { return std::find(extents.begin(), extents.end(), -1) != extents.end(); }
};

[[noreturn]] void refuse(const std::string& sentence) { throw BuildFailure("SHAPES_INVALID", sentence); }

std::string spoken(const std::vector<std::int64_t>& extents) {
  std::string words;
  for (const std::int64_t extent : extents) words += (words.empty() ? "" : "x") + std::to_string(extent);
  return words;
}

std::string spoken(const Input& input) { return input.name + " (" + spoken(input.extents) + ")"; }

std::vector<Input> inputsOf(const abi::Network& network) {
  std::vector<Input> inputs;
  for (std::int32_t i = 0; i < network.inputCount(); ++i) {
    const abi::Tensor tensor = network.input(i);
    const abi::Dims dims = tensor.dimensions();
    const std::int32_t count = std::clamp(dims.count, 0, abi::Dims::kMaxCount);
    inputs.push_back({tensor.name(), {dims.extent, dims.extent + count}});
  }
  return inputs;
}

// A shape that was left out is the nearest one that was given.
ShapeRange completed(ShapeRange range) {
  auto& [low, best, high] = range.dims;
  if (best.empty()) best = high.empty() ? low : high;
  if (low.empty()) low = best;
  if (high.empty()) high = best;
  return range;
}

void check(const ShapeRange& range, const std::vector<Input>& inputs) {
  const auto input =
      std::find_if(inputs.begin(), inputs.end(), [&](const Input& one) { return one.name == range.input; });
  if (input == inputs.end()) {
    std::string names;
    for (const Input& one : inputs) names += (names.empty() ? "" : ", ") + spoken(one);
    refuse("The model has no input " + range.input + " to give shapes for. Its inputs: " + names + ".");
  }
  std::size_t before = range.dims.size();  // the shape that this one must reach, when there is one
  for (std::size_t which = 0; which < range.dims.size(); ++which) {
    const std::vector<std::int64_t>& dims = range.dims[which];
    if (dims.empty()) continue;
    const std::string given = std::string(kWords[which]) + " gives " + range.input + " the shape " + spoken(dims);
    if (dims.size() != input->extents.size()) {
      refuse(given + ", but the model's input is " + spoken(*input) + ". Give " +
             std::to_string(input->extents.size()) + " dimensions.");
    }
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (dims[i] < 0) refuse(given + ": no dimension may be below 0.");
      if (input->extents[i] >= 0 && dims[i] != input->extents[i]) {
        refuse(given + ", but the model's input is " + spoken(*input) + ". Dimension " + std::to_string(i) +
               " must be " + std::to_string(input->extents[i]) + ".");
      }
      if (before < which && dims[i] < range.dims[before][i]) {
        refuse(given + ", less than " + kWords[before] + " (" + spoken(range.dims[before]) + ") in dimension " +
               std::to_string(i) + ".");
      }
    }
    before = which;
  }
}

void checkComplete(const Profile* profile, const std::vector<Input>& inputs) {
  for (const Input& input : inputs) {
    const bool given =
        profile != nullptr && std::any_of(profile->begin(), profile->end(),
                                          [&](const ShapeRange& range) { return range.input == input.name; });
    if (input.dynamic() && !given) {
      refuse("The model's input " + spoken(input) + " has dynamic dimensions (-1). Give " +
             (profile == nullptr ? "" : "every profile ") + "minShapes, optShapes and maxShapes for it.");
    }
  }
}

void add(BuildObjects& objects, const Profile& profile) {
  objects.forgetErrors();
  const abi::Profile made = objects.builder->createProfile();
  bool taken = static_cast<bool>(made);
  for (const ShapeRange& range : profile) {
    for (std::size_t which = 0; taken && which < range.dims.size(); ++which) {
      abi::Dims dims{static_cast<std::int32_t>(range.dims[which].size()), {}};
      std::copy(range.dims[which].begin(), range.dims[which].end(), dims.extent);
      taken = made.setDimensions(range.input.c_str(), static_cast<abi::ProfileSelector>(which), dims);
    }
  }
  if (!taken || objects.config->addProfile(made) < 0) refuse("TensorRT refuses a profile: " + objects.reason() + ".");
}

}  // namespace

void addProfiles(BuildObjects& objects) {
  const std::vector<Input> inputs = inputsOf(*objects.network);
  if (objects.request.profiles.empty()) checkComplete(nullptr, inputs);
  for (const Profile& asked : objects.request.profiles) {
    Profile profile;
    for (const ShapeRange& range : asked) {
      check(range, inputs);
      profile.push_back(completed(range));
    }
    checkComplete(&profile, inputs);
    add(objects, profile);
  }
}

}  // namespace trtscope
