-- Gives back what one request has taken of several windows. KEYS: a counter each, as rate_windows.lua keeps it.
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('HGET', key, 'count') or 0) > 0 then
    redis.call('HINCRBY', key, 'count', -1)
  end
end
