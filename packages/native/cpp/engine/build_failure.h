#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace trtscope {

// Why a build failed, on its way out of this room. The code is one of packages/core/src/errors.ts.
struct BuildFailure : std::exception {
  BuildFailure(std::string theCode, std::string theMessage)
      : code(std::move(theCode)), message(std::move(theMessage)) {}
  const char* what() const noexcept override { return message.c_str(); }

  std::string code;
  std::string message;
  std::int32_t tensorrtCode = -1;
  std::string phasePath;
};

// The build has stopped because it was asked to.
struct BuildCancelled : std::exception {};

}  // namespace trtscope
