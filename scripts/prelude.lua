-- What every script finds: Luau's library with its sizes kept in bounds, what libraries written
-- for Lua 5.1 expect, and the environment of a sketch. Runs once, before the globals are sealed.

local host = ... -- print(text), now(), collect(): what only the host can do

local type, tostring, select, rawget, rawlen, rawset = type, tostring, select, rawget, rawlen, rawset
local info, raise = debug.info, error
local MIB = 1048576
local MAX_STRING = 16 * MIB
local MAX_BUFFER = 64 * MIB
local MAX_ITEMS = 1048576

-- A call into the library can't be interrupted, so none may take long.

local function over(what, size, limit, unit)
  raise(`{what}: {string.format("%.0f", size)} {unit} is over the limit of {limit}`, 3)
end

local function bytes(what, size, limit)
  if size > limit then
    over(what, size, `{limit // MIB} MiB`, "bytes")
  end
end

local rep = string.rep
function string.rep(s, n, ...)
  if type(s) == "string" and tonumber(n) then
    bytes("string.rep", #s * tonumber(n), MAX_STRING)
  end
  return rep(s, n, ...)
end

local format = string.format
function string.format(form, ...)
  local count = select("#", ...)
  if count > 8 then
    local size = 0
    for i = 1, count do
      local item = select(i, ...)
      size += if type(item) == "string" then #item else 32
    end
    bytes("string.format", size, MAX_STRING)
  end
  return format(form, ...)
end

local pack = string.pack
function string.pack(form, ...)
  if type(form) == "string" and string.find(form, "c%d%d%d%d%d%d%d%d") then
    raise("string.pack: a field is over the limit of 9999999 bytes", 2)
  end
  return pack(form, ...)
end

local find, split = string.find, string.split

local function searchable(what, s, part)
  if type(s) == "string" and type(part) == "string" and #part > 64 and #s * #part > 1e9 then
    raise(`{what}: {#s} bytes are too many to search for {#part} bytes`, 3)
  end
end

function string.find(s, part, ...)
  searchable("string.find", s, part)
  return find(s, part, ...)
end

function string.split(s, part)
  searchable("string.split", s, part)
  return split(s, part)
end

local concat = table.concat
function table.concat(t, separator, first, last)
  if type(t) == "table" then
    local from, to = tonumber(first) or 1, tonumber(last) or rawlen(t)
    local between = if type(separator) == "string" then #separator else 0
    local size = 0
    for i = from, to do
      local item = rawget(t, i)
      if item == nil then
        break -- an error, which names the index
      end
      size += between + if type(item) == "string" then #item else 32
      if size > MAX_STRING + between + 32 then
        over("table.concat", size, `{MAX_STRING // MIB} MiB`, "bytes or more")
      end
    end
  end
  return concat(t, separator, first, last)
end

local create = table.create
function table.create(n, ...)
  if type(n) == "number" and n > MAX_ITEMS then
    over("table.create", n, MAX_ITEMS, "items")
  end
  return create(n, ...)
end

local move = table.move
function table.move(t, first, last, ...)
  if type(first) == "number" and type(last) == "number" and last - first >= MAX_ITEMS then
    over("table.move", last - first + 1, MAX_ITEMS, "items")
  end
  return move(t, first, last, ...)
end

local sort = table.sort
local function ascending(a, b)
  return a < b
end
function table.sort(t, before)
  -- A comparison in Lua can be interrupted, one in the library can't.
  if before == nil and type(t) == "table" and rawlen(t) > 20000 then
    before = ascending
  end
  return sort(t, before)
end

local buffer_create = buffer.create
function buffer.create(size)
  if type(size) == "number" then
    bytes("buffer.create", size, MAX_BUFFER)
  end
  return buffer_create(size)
end

-- What a value looks like in a message: `{1, 2, name = "x"}`.

local describe

local function inside(t, depth)
  local parts, count = {}, rawlen(t)
  for i = 1, math.min(count, 9) do
    parts[i] = describe(rawget(t, i), depth + 1)
  end
  for key, value in next, t do
    if #parts > 8 then
      break
    elseif type(key) ~= "number" or key < 1 or key > count then
      local name = if type(key) == "string" and find(key, "^[%a_][%w_]*$") then key else `[{describe(key, depth + 1)}]`
      parts[#parts + 1] = `{name} = {describe(value, depth + 1)}`
    end
  end
  if #parts > 8 then
    parts[9] = "…"
  end
  return `\{{concat(parts, ", ")}}`
end

function describe(value, depth)
  if type(value) == "string" then
    local short = if #value > 60 then string.sub(value, 1, 60) .. "…" else value
    return format("%q", short)
  elseif type(value) == "table" and getmetatable(value) == nil then
    return if depth < 2 then inside(value, depth) else "{…}"
  end
  return tostring(value)
end

-- Raises as ever, and notes what a table would have said: on its way out it becomes `table: 0x…`.
function error(value, level)
  if type(value) == "table" and getmetatable(value) == nil then
    local said = rawget(value, "message") or rawget(value, "msg")
    host.raised(value, if type(said) == "string" then said else describe(value, 0))
  elseif value == nil then
    host.raised(nil, "an error was raised without a message")
  end
  local above = if level == nil then 2 elseif level == 0 then 0 else level + 1
  raise(value, above)
end

-- What libraries written for Lua 5.1 expect.

table.getn = table.getn or rawlen
string.gfind = string.gmatch
math.mod = math.fmod
unpack = unpack or table.unpack

local count = collectgarbage
function collectgarbage(option)
  if option == nil or option == "collect" or option == "step" then
    host.collect()
    return 0
  elseif option == "count" then
    return count("count")
  end
  return 0
end

function print(...)
  local parts = table.create(select("#", ...))
  for i = 1, select("#", ...) do
    parts[i] = tostring((select(i, ...)))
  end
  host.print(concat(parts, "\t") .. "\n")
end

local function write(self, ...)
  for i = 1, select("#", ...) do
    host.print(tostring((select(i, ...))))
  end
  return self
end

local stdout = { write = write, flush = function() end, setvbuf = function() end, close = function() end }
io = {
  stdout = stdout,
  stderr = stdout,
  write = function(...)
    return write(stdout, ...)
  end,
  open = function(name)
    return nil, `{tostring(name)}: a sketch opens no files`, 2
  end,
}

local clock, time, date = os.clock, os.time, os.date
os.clock = function()
  return host.now() or clock()
end
os.time = function(of)
  local now = host.now()
  return if of == nil and now then now // 1 else time(of)
end
os.date = function(form, at)
  return date(form, at or os.time())
end
os.getenv = function()
  return nil
end

deg = math.pi / 180
turn = 2 * math.pi

setmetatable(host.base, { __index = host.missing })

-- The environment of one version of a sketch.

local getfenv, setfenv = getfenv, setfenv

-- Luau takes a name of the library for what it stands for when a chunk loads; these differ in each
-- environment.
for _, name in { "_G", "getfenv", "setfenv", "loadstring", "require" } do
  host.base[name] = nil
end

local libraries = {
  string = string,
  table = table,
  math = math,
  coroutine = coroutine,
  debug = debug,
  bit32 = bit32,
  utf8 = utf8,
  buffer = buffer,
  vector = vector,
  os = os,
  io = io,
}

local function is_ours(source)
  return source == "[C]" or source == "[gobo]"
end

local function environment(env, generation) -- find, finish, note, compile, slow
  local values, by_name = {}, {}
  local loaded = setmetatable(table.clone(libraries), { __index = by_name })
  local package = {
    loaded = loaded,
    preload = {},
    path = "./?.lua;./?/init.lua",
    cpath = "",
    config = "/\n;\n?\n!\n-\n",
    loaders = {},
    searchers = {},
    seeall = function(t)
      return setmetatable(t, { __index = env })
    end,
  }

  local function run(name, chunk)
    local ok, value = xpcall(chunk, generation.note, name)
    if ok then
      local set = rawget(loaded, name)
      return true, if value ~= nil then value elseif set ~= nil then set else true
    end
    return false, value
  end

  local function require(name)
    if type(name) ~= "string" then
      raise(`require: expected a module name, got {type(name)}`, 2)
    end
    local set = rawget(loaded, name)
    if set ~= nil then
      return set
    end
    local opener = package.preload[name]
    if type(opener) == "function" then
      local ok, value = run(name, opener)
      if not ok then
        raise(value, 0)
      end
      loaded[name] = value
      return value
    end
    local id, chunk, broken = generation.find(name, env)
    if id == nil then
      raise(chunk, if broken then 0 else 2)
    elseif chunk ~= nil then
      local ok, value = run(name, chunk)
      generation.finish(id, ok)
      if not ok then
        raise(value, 0)
      end
      values[id] = value
    end
    by_name[name] = values[id]
    return values[id]
  end

  local function load(chunk, name, mode, where)
    if type(chunk) == "function" then
      local parts = {}
      for part in chunk do
        if part == "" then
          break
        end
        parts[#parts + 1] = part
      end
      chunk = table.concat(parts)
    end
    return generation.compile(chunk, name, if type(where) == "table" then where else env)
  end

  env._G = env
  env.package = package
  env.require = require
  env.load = load
  env.loadstring = load
  env.module = function(name, ...)
    local t = rawget(loaded, name) or {}
    loaded[name] = t
    t._NAME, t._M = name, t
    for i = 1, select("#", ...) do
      select(i, ...)(t)
    end
    setfenv(2, t)
    return t
  end
  env.getfenv = function(f)
    local level = if f == nil then 1 else f
    if level == 0 then
      return env
    end
    local of = if type(level) == "number" then level + 1 else level
    local source = info(of, "s")
    if source == nil then
      raise("getfenv: no function at this level", 2)
    end
    return if is_ours(source) then env else getfenv(of)
  end
  env.setfenv = function(f, t)
    local of = if type(f) == "number" then f + 1 else f
    local source = if f == 0 then "[C]" else info(of, "s")
    if source == nil or is_ours(source) then
      raise("setfenv: this function's environment is fixed", 2)
    end
    return setfenv(of, t)
  end
  loaded._G = env
  -- Luau remembers what a name of the library stands for; one that a sketch takes over ends that.
  return setmetatable(env, {
    __index = host.base,
    __newindex = function(t, key, value)
      if rawget(host.base, key) ~= nil then
        generation.slow(t)
      end
      rawset(t, key, value)
    end,
  })
end

-- Runs a typed line and says what it returned.
local function show(chunk)
  local function join(...)
    local parts = {}
    for i = 1, select("#", ...) do
      parts[i] = describe((select(i, ...)), 0)
    end
    return if #parts > 0 then concat(parts, "\t") else nil
  end
  return join(chunk())
end

return { environment = environment, show = show, seed = math.randomseed }
