-- Functions of numbers that take signals too: `sin(time)` is a signal, `sin(1)` a number.

local base = (...).base
local num = base.num

local plain = {
  sin = math.sin,
  cos = math.cos,
  abs = math.abs,
  floor = math.floor,
  ceil = math.ceil,
  sqrt = function(x)
    return math.sqrt(math.max(x, 0))
  end,
  min = math.min,
  max = math.max,
}

for name, number in plain do
  local signal = num[name]
  base[name] = function(a, b)
    if type(a) == "number" and (b == nil or type(b) == "number") then
      return if b == nil then number(a) else number(a, b)
    end
    return if b == nil then signal(a) else signal(a, b)
  end
end
