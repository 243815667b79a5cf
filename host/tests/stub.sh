# An MCP server of a few lines, for tests. Two of its tools have one name for agents, and one ends it.
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"stub","version":"1"}}}\n' "$id" ;;
    *tools/list*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"a.b","inputSchema":{"type":"object"}},{"name":"a/b","inputSchema":{"type":"object"}},{"name":"die","inputSchema":{"type":"object"}},{"name":"ring","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}}\n' "$id" ;;
    *'"die"'*) echo 'I am dying' >&2; exit 1 ;;
    *'"ring"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"ding %s"}]}}\n' "$id" "$WHOSE" ;;
    *tools/call*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"alive"},{"type":"image","data":"AAAA","mimeType":"image/png"}]}}\n' "$id" ;;
    *'"id":'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}\n' "$id" ;;
  esac
done
