// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/stored_info.h"

#include <concepts>

namespace lanecl::frontend {
namespace {

// Serialization of ProgramInfo. One list of fields serves both directions: visit(fields, object) calls `fields` with
// each member, and `fields` is a Writing or a Reading.
class Writing {
public:
  explicit Writing(ByteWriter &writer) : writer(writer) {}

  template <class... T> void operator()(const T &...members) { (one(members), ...); }
  template <class Enum> void choice(Enum value, Enum) { writer.number(uint64_t(value)); }

private:
  void one(const std::string &text) { writer.text(text); }
  template <std::integral T> void one(T number) { writer.number(uint64_t(number)); }
  void one(const std::array<uint64_t, 3> &sizes) { (*this)(sizes[0], sizes[1], sizes[2]); }
  template <class T> void one(const std::vector<T> &list) {
    writer.number(list.size());
    for (const T &element : list)
      visit(*this, element);
  }

  ByteWriter &writer;
};

// Reads what Writing wrote. Once anything is missing or illegal, `good` is false and everything else reads as zero.
class Reading {
public:
  explicit Reading(ByteReader &reader) : reader(reader) {}

  template <class... T> void operator()(T &...members) { (one(members), ...); }
  // Reads an enumerator. `last` is the greatest one: larger numbers make the description bad.
  template <class Enum> void choice(Enum &value, Enum last) {
    const uint64_t number = next();
    good = good && number <= uint64_t(last);
    value = good ? static_cast<Enum>(number) : Enum{};
  }

  bool good = true;

private:
  uint64_t next() {
    uint64_t number = 0;
    good = good && reader.number(number);
    return number;
  }
  void one(std::string &text) { good = good && reader.text(text); }
  template <std::integral T> void one(T &number) { number = static_cast<T>(next()); }
  void one(std::array<uint64_t, 3> &sizes) { (*this)(sizes[0], sizes[1], sizes[2]); }
  template <class T> void one(std::vector<T> &list) {
    for (uint64_t left = next(); good && left > 0; --left)
      visit(*this, list.emplace_back());
  }

  ByteReader &reader;
};

// Restricts visit() to one type, const or not, so that the same function writes and reads it.
template <class T, class Object>
concept Is = std::same_as<std::remove_const_t<T>, Object>;

// The members are named in structured bindings, so that a new member does not compile until it is added here.
template <class Fields> void visit(Fields &fields, Is<ArgumentInfo> auto &argument) {
  auto &[name, type_name, kind, address, access, image, is_depth_image, is_const, is_restrict, is_volatile, is_pipe,
         is_read, is_written, is_updated, size, alignment] = argument;
  fields(name, type_name);
  fields.choice(kind, ArgumentKind::Pipe);
  fields.choice(address, AddressQualifier::Local);
  fields.choice(access, AccessQualifier::ReadWrite);
  fields.choice(image, ImageShape::Image3D);
  fields(is_depth_image, is_const, is_restrict, is_volatile, is_pipe, is_read, is_written, is_updated, size, alignment);
}

template <class Fields> void visit(Fields &fields, Is<KernelInfo> auto &kernel) {
  auto &[name, attributes, arguments, required_work_group_size, work_group_size_hint, vec_type_hint,
         required_sub_group_size, required_sub_groups, queries_sub_groups, sees_sub_groups, sees_work_groups,
         widest_vector, local_bytes, private_bytes] = kernel;
  fields(name, attributes, arguments, required_work_group_size, work_group_size_hint, vec_type_hint,
         required_sub_group_size, required_sub_groups, queries_sub_groups, sees_sub_groups, sees_work_groups,
         widest_vector, local_bytes, private_bytes);
}

template <class Fields> void visit(Fields &fields, Is<ProgramVariables::Address> auto &address) {
  auto &[at, target] = address;
  fields(at, target);
}

template <class Fields> void visit(Fields &fields, Is<ProgramVariables> auto &variables) {
  auto &[bytes, alignment, initial, addresses] = variables;
  fields(bytes, alignment, initial, addresses);
}

template <class Fields> void visit(Fields &fields, Is<ProgramInfo> auto &info) {
  auto &[kernels, variables, has_constructor, has_destructor] = info;
  fields(kernels);
  visit(fields, variables);
  fields(has_constructor, has_destructor);
}

} // namespace

void writeInfo(const ProgramInfo &info, ByteWriter &writer) {
  Writing fields(writer);
  visit(fields, info);
}

bool readInfo(ByteReader &reader, ProgramInfo &info) {
  Reading fields(reader);
  visit(fields, info);
  return fields.good;
}

} // namespace lanecl::frontend
