-- Functions of numbers that take signals too: `sin(time)` is a signal, `sin(1)` a number, the one that the operator
-- `num.sin` would give. The host says which there are, with the defaults of the operators.

local base, defaults = ...
local num, math = base.num, math
local floor, max, min = math.floor, math.max, math.min
local select, type, unpack = select, type, table.unpack

-- Formulas that differ from Lua's function of that name, or have none.
local formulas = {
  acos = function(value)
    return math.acos(max(-1, min(value, 1)))
  end,
  asin = function(value)
    return math.asin(max(-1, min(value, 1)))
  end,
  clamp = function(value, low, high)
    return max(min(value, high), low)
  end,
  fract = function(value)
    return value - floor(value)
  end,
  lerp = function(a, b, amount)
    return a + (b - a) * amount
  end,
  log = function(value)
    return math.log(max(value, 2.2250738585072014e-308))
  end,
  mod = function(a, b)
    return if b == 0 then 0 else a - b * floor(a / b)
  end,
  smoothstep = function(value, low, high)
    if high == low then
      return if value < low then 0 else 1
    end
    local t = max(0, min((value - low) / (high - low), 1))
    return t * t * (3 - 2 * t)
  end,
  sqrt = function(value)
    return math.sqrt(max(value, 0))
  end,
  step = function(value, edge)
    return if value < edge then 0 else 1
  end,
}

local function lifted(formula, signal, default)
  local inputs = #default
  return function(...)
    local count = select("#", ...)
    if count > inputs then
      return signal(...)
    end
    for i = 1, count do
      if type((select(i, ...))) ~= "number" then
        return signal(...)
      end
    end
    if count == inputs then
      return formula(...)
    end
    local given = { ... }
    for i = count + 1, inputs do
      given[i] = default[i]
    end
    return formula(unpack(given))
  end
end

for name, default in defaults do
  base[name] = lifted(formulas[name] or math[name], num[name], default)
end
