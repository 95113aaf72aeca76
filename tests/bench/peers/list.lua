-- wrk: the pages of a list in turn, all on one connection address; nginx chooses the host by its name.
local requests = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local host, path = line:match("^https?://([^/]+)(/.*)$")
    requests[#requests + 1] = wrk.format("GET", path, { ["Host"] = host, ["Accept-Encoding"] = "gzip" })
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
