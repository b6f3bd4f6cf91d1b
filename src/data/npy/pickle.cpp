// Reads the pickles (protocols 2 to 5) of arrays of arrays. A pickle is a program for a stack machine that may call
// anything; this reader accepts only the names that build arrays, and imitates them instead of calling them. It is long
// because one class is the whole machine: every opcode works on the same stack, marks and memo.
#include <fmt/format.h>

#include <bit>
#include <deque>
#include <unordered_map>
#include <vector>

#include "npy_bytes.h"

namespace lgode::data {
namespace {

enum class Kind : std::uint8_t { kNone, kBool, kInt, kFloat, kText, kBytes, kList, kCallable, kType, kArray };

// A value on the stack. Nodes live as long as the reader, so they may refer to each other freely.
struct Node {
  Kind kind = Kind::kNone;
  bool fortran = false;      // kArray
  NpyType type{};            // kType, kArray
  std::int64_t integer = 0;  // kBool, kInt
  double real = 0.0;         // kFloat
  std::string_view text;     // kText, kBytes, kCallable (its name), kArray of numbers (its bytes)
  std::vector<Node*> items;  // kList (tuples, too), kArray of objects
  std::vector<std::int64_t> shape;
};

class PickleReader {
 public:
  explicit PickleReader(ByteCursor& cursor) : cursor_(cursor) {}

  NpyArray read() {
    while (step()) {
    }
    Node* top = pop();
    if (top->kind != Kind::kArray) cursor_.fail("the pickle holds no array");
    return *convert(*top, 0);
  }

 private:
  // Arrays of arrays of arrays; deeper nesting is a mistake.
  static constexpr int kDeepest = 8;

  [[noreturn]] void fail(const std::string& message) const { cursor_.fail("pickle: " + message); }

  Node* make(Kind kind) {
    Node& node = nodes_.emplace_back();
    node.kind = kind;
    return &node;
  }
  void push(Node* node) { stack_.push_back(node); }
  Node* pop() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail("a value is missing");
    Node* top = stack_.back();
    stack_.pop_back();
    return top;
  }
  std::vector<Node*> pop_to_mark() {
    if (marks_.empty()) fail("a mark is missing");
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<Node*> items(first, stack_.end());
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return items;
  }

  void push_text(Kind kind, std::string_view text) {
    Node* node = make(kind);
    node->text = text;
    push(node);
  }
  void push_integer(Kind kind, std::int64_t value) {
    Node* node = make(kind);
    node->integer = value;
    push(node);
  }
  void push_list(std::vector<Node*> items) {
    Node* node = make(Kind::kList);
    node->items = std::move(items);
    push(node);
  }
  void push_tuple(int count) {
    std::vector<Node*> items(static_cast<std::size_t>(count));
    for (auto item = items.rbegin(); item != items.rend(); ++item) *item = pop();
    push_list(std::move(items));
  }

  // One operation; false after the last.
  bool step() {
    const auto code = static_cast<unsigned char>(cursor_.take(1).front());
    switch (code) {
      case '.':
        return false;
      case 0x80:  // PROTO
        cursor_.take(1);
        break;
      case 0x95:  // FRAME
        cursor_.take(8);
        break;
      case '(':
        marks_.push_back(stack_.size());
        break;
      case '0':
        pop();
        break;
      case '1':
        pop_to_mark();
        break;
      case 'N':
        push(make(Kind::kNone));
        break;
      case 'c': {  // GLOBAL
        const std::string_view module = cursor_.take_line();
        push_callable(module, cursor_.take_line());
        break;
      }
      case 0x93: {  // STACK_GLOBAL
        const Node* name = pop();
        const Node* module = pop();
        push_callable(module->text, name->text);
        break;
      }
      case 'R':
        reduce();
        break;
      case 'b':
        build();
        break;
      default:
        if (!number(code) && !text(code) && !container(code) && !memory(code))
          fail(fmt::format("operation 0x{:02X} is none that arrays need; is this a pickle of something else?", code));
    }
    return true;
  }

  bool number(unsigned char code) {
    switch (code) {
      case 0x88:
      case 0x89:
        push_integer(Kind::kBool, code == 0x88 ? 1 : 0);
        return true;
      case 'K':
        push_integer(Kind::kInt, static_cast<std::int64_t>(cursor_.take_number(1)));
        return true;
      case 'M':
        push_integer(Kind::kInt, static_cast<std::int64_t>(cursor_.take_number(2)));
        return true;
      case 'J':
        push_integer(Kind::kInt, static_cast<std::int32_t>(static_cast<std::uint32_t>(cursor_.take_number(4))));
        return true;
      case 0x8a: {  // LONG1, two's complement
        const auto bytes = static_cast<int>(cursor_.take_number(1));
        if (bytes > 8) fail("a number has more than 64 bits");
        std::uint64_t value = cursor_.take_number(bytes);
        if (bytes > 0 && bytes < 8 && (value >> (8 * bytes - 1)) != 0) value |= ~std::uint64_t{0} << (8 * bytes);
        push_integer(Kind::kInt, static_cast<std::int64_t>(value));
        return true;
      }
      case 'G': {  // big-endian
        std::uint64_t bits = 0;
        for (const char c : cursor_.take(8)) bits = (bits << 8) | static_cast<unsigned char>(c);
        Node* node = make(Kind::kFloat);
        node->real = std::bit_cast<double>(bits);
        push(node);
        return true;
      }
      default:
        return false;
    }
  }

  bool text(unsigned char code) {
    switch (code) {
      case 'X':
        push_text(Kind::kText, cursor_.take(cursor_.take_number(4)));
        return true;
      case 0x8c:
        push_text(Kind::kText, cursor_.take(cursor_.take_number(1)));
        return true;
      case 0x8d:
        push_text(Kind::kText, cursor_.take(cursor_.take_number(8)));
        return true;
      case 'B':
      case 'T':  // what Python 2 calls text
        push_text(Kind::kBytes, cursor_.take(cursor_.take_number(4)));
        return true;
      case 'C':
      case 'U':
        push_text(Kind::kBytes, cursor_.take(cursor_.take_number(1)));
        return true;
      case 0x8e:
      case 0x96:
        push_text(Kind::kBytes, cursor_.take(cursor_.take_number(8)));
        return true;
      default:
        return false;
    }
  }

  bool container(unsigned char code) {
    switch (code) {
      case ')':
      case ']':
        push_list({});
        return true;
      case 't':
      case 'l':
        push_list(pop_to_mark());
        return true;
      case 0x85:
      case 0x86:
      case 0x87:
        push_tuple(code - 0x84);
        return true;
      case 'a':
        append({pop()});
        return true;
      case 'e':
        append(pop_to_mark());
        return true;
      default:
        return false;
    }
  }

  bool memory(unsigned char code) {
    switch (code) {
      case 'q':
        remember(cursor_.take_number(1));
        return true;
      case 'r':
        remember(cursor_.take_number(4));
        return true;
      case 0x94:
        remember(memo_.size());
        return true;
      case 'h':
        recall(cursor_.take_number(1));
        return true;
      case 'j':
        recall(cursor_.take_number(4));
        return true;
      default:
        return false;
    }
  }

  void append(const std::vector<Node*>& items) {
    Node* list = pop();
    if (list->kind != Kind::kList) fail("something is appended to a value that is not a list");
    push(list);
    list->items.insert(list->items.end(), items.begin(), items.end());
  }

  // Writers number the values that they remember in order, from 0 or 1.
  void remember(std::uint64_t index) {
    constexpr std::uint64_t kSlack = 16;
    if (index > memo_.size() + kSlack)
      fail(fmt::format("place {} of the memory is far beyond the {} used", index, memo_.size()));
    if (index >= memo_.size()) memo_.resize(index + 1);
    Node* top = pop();
    push(top);
    memo_[index] = top;
  }
  void recall(std::uint64_t index) {
    if (index >= memo_.size() || memo_[index] == nullptr) fail(fmt::format("place {} of the memory is empty", index));
    push(memo_[index]);
  }

  // Names are allowed by their last part, because numpy moved its modules.
  void push_callable(std::string_view module, std::string_view name) {
    const bool numpy = module == "numpy" || module.starts_with("numpy.");
    const bool builtin = module == "builtins" || module == "__builtin__";
    const bool known = (numpy && (name == "_reconstruct" || name == "ndarray" || name == "dtype" || name == "scalar" ||
                                  name == "_frombuffer")) ||
                       (module == "_codecs" && name == "encode") ||
                       (builtin && (name == "bytes" || name == "bytearray"));
    if (!known) fail(fmt::format("it needs '{}.{}', which does not belong to an array; it is not run", module, name));
    push_text(Kind::kCallable, name);
  }

  const Node& argument(const Node& arguments, std::size_t index, Kind kind) const {
    if (index >= arguments.items.size() || arguments.items[index]->kind != kind) fail("an argument is missing or odd");
    return *arguments.items[index];
  }

  void reduce() {
    const Node* arguments = pop();
    const Node* callable = pop();
    if (callable->kind != Kind::kCallable || arguments->kind != Kind::kList) fail("a call of what cannot be called");
    const std::string_view name = callable->text;
    if (name == "_reconstruct") {
      push(make(Kind::kArray));
    } else if (name == "dtype") {
      push_type(*arguments);
    } else if (name == "encode") {
      push_text(Kind::kBytes, latin1(argument(*arguments, 0, Kind::kText).text));
    } else if (name == "bytes" || name == "bytearray") {
      if (!arguments->items.empty() && arguments->items[0]->kind != Kind::kBytes) fail("bytes of what is none");
      push_text(Kind::kBytes, arguments->items.empty() ? std::string_view() : arguments->items[0]->text);
    } else if (name == "scalar") {
      Node* array = make(Kind::kArray);
      fill(*array, argument(*arguments, 0, Kind::kType), argument(*arguments, 1, Kind::kBytes), {});
      push(array);
    } else if (name == "_frombuffer") {
      Node* array = make(Kind::kArray);
      array->fortran = argument(*arguments, 3, Kind::kText).text == "F";
      fill(*array, argument(*arguments, 1, Kind::kType), argument(*arguments, 0, Kind::kBytes),
           shape_of(argument(*arguments, 2, Kind::kList)));
      push(array);
    } else {
      fail(fmt::format("a call of '{}'", name));
    }
  }

  void push_type(const Node& arguments) {
    if (arguments.items.empty()) fail("a type without a name");
    const std::string_view name = arguments.items[0]->text;
    Node* type = make(Kind::kType);
    if (!parse_type(name, type->type)) fail(fmt::format("values of type '{}' are not read", name));
    push(type);
  }

  std::vector<std::int64_t> shape_of(const Node& tuple) const {
    std::vector<std::int64_t> shape;
    for (const Node* item : tuple.items) {
      if (item->kind != Kind::kInt) fail("a shape that is not a list of numbers");
      shape.push_back(item->integer);
    }
    return shape;
  }

  void fill(Node& array, const Node& type, const Node& content, std::vector<std::int64_t> shape) const {
    array.type = type.type;
    array.shape = std::move(shape);
    if (array.type.kind != 'O') {
      if (content.kind != Kind::kBytes) fail("an array of numbers without its bytes");
      array.text = content.text;
      return;
    }
    if (content.kind != Kind::kList) fail("an array of objects without its list");
    std::uint64_t count = 0;
    if (!count_elements(array.shape, content.items.size(), count) || count != content.items.size())
      fail(fmt::format("an array of objects has {} of them, which does not fit its shape", content.items.size()));
    array.items = content.items;
  }

  // The state of an array is (version, shape, type, fortran, content); of a type (version, byte order, ...).
  void build() {
    const Node* state = pop();
    Node* object = pop();
    push(object);
    if (state->kind != Kind::kList) fail("a state that is not a tuple");
    if (object->kind == Kind::kType) {
      if (state->items.size() < 2 || state->items[1]->text == ">")
        fail("numbers are big-endian, expected little-endian ones");
      return;
    }
    if (object->kind != Kind::kArray || state->items.size() != 5) fail("a state of a value that is not an array");
    object->fortran = argument(*state, 3, Kind::kBool).integer != 0;
    fill(*object, argument(*state, 2, Kind::kType), *state->items[4], shape_of(argument(*state, 1, Kind::kList)));
  }

  // Protocol 2 has bytes as text whose characters are the bytes, in UTF-8.
  std::string_view latin1(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto first = static_cast<unsigned char>(text[i]);
      if (first < 0x80) {
        bytes.push_back(text[i]);
        continue;
      }
      const unsigned char second = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
      if ((first != 0xC2 && first != 0xC3) || (second & 0xC0U) != 0x80U) fail("bytes written as text that is none");
      bytes.push_back(static_cast<char>(((first & 3U) << 6U) | (second & 0x3FU)));
      ++i;
    }
    return decoded_.emplace_back(std::move(bytes));
  }

  // A node that several places share becomes one shared array.
  std::shared_ptr<const NpyArray> convert(const Node& node, int depth) {
    if (depth > kDeepest) fail("arrays are nested too deeply, or within themselves");
    if (const auto done = converted_.find(&node); done != converted_.end()) return done->second;
    auto array = std::make_shared<NpyArray>();
    array->shape = node.shape;
    const std::vector<Node*>* items = nullptr;
    switch (node.kind) {
      case Kind::kBool:
      case Kind::kInt:
        array->numbers = {static_cast<double>(node.integer)};
        break;
      case Kind::kFloat:
        array->numbers = {node.real};
        break;
      case Kind::kList:
        array->shape = {static_cast<std::int64_t>(node.items.size())};
        items = &node.items;
        break;
      case Kind::kArray:
        if (node.type.kind == 'O') {
          items = &node.items;
        } else if (node.type.kind == 0 || !decode_numbers(node.text, node.type, node.fortran, *array)) {
          fail(fmt::format("an array has {} bytes, which does not fit its shape", node.text.size()));
        }
        break;
      default:
        fail("an array holds a value that is not a number, array or list");
    }
    if (items != nullptr) {
      if (node.fortran && node.shape.size() > 1) fail("arrays of objects by columns are not read; save a copy by rows");
      array->of_objects = true;
      for (const Node* item : *items) array->items.push_back(convert(*item, depth + 1));
    }
    converted_[&node] = array;
    return array;
  }

  ByteCursor& cursor_;
  std::deque<Node> nodes_;
  std::deque<std::string> decoded_;
  std::vector<Node*> stack_;
  std::vector<std::size_t> marks_;
  std::vector<Node*> memo_;
  std::unordered_map<const Node*, std::shared_ptr<const NpyArray>> converted_;
};

}  // namespace

NpyArray read_pickled_array(ByteCursor& cursor) { return PickleReader(cursor).read(); }

}  // namespace lgode::data
