-- What Neovim shows with the settings of docs/editors.md. Run by .ci/editors in a folder with the files of tests/editors/project.
local function fail(reason)
  io.stderr:write("Neovim: " .. reason .. "\n")
  vim.cmd("cquit 1")
end

local function expect(what, holds)
  if not vim.wait(20000, holds, 50) then
    fail("no " .. what .. "; findings: " .. vim.inspect(vim.diagnostic.get(0)))
  end
end

local function codes()
  local found = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, diagnostic.code)
  end
  table.sort(found)
  return table.concat(found, " ")
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  for _, answer in pairs(answers) do
    return answer.result
  end
end

local function at(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
  return vim.lsp.util.make_position_params(0, "utf-16")
end

expect("findings", function() return codes() == "idle-specifier missing-skill unquoted-value" end)

local hover = ask("textDocument/hover", at(4, 26))
if not (hover and hover.contents.value:find("Runs the tests", 1, true)) then fail("no hover: " .. vim.inspect(hover)) end

local completions = ask("textDocument/completion", at(4, 13))
local labels = vim.tbl_map(function(item) return item.label end, completions or {})
if not vim.tbl_contains(labels, "WebSearch") then fail("no completions: " .. vim.inspect(labels)) end

local range = vim.lsp.util.make_given_range_params({ 3, 0 }, { 3, 30 }, 0, "utf-16")
range.context = { diagnostics = {} }
for _, action in ipairs(ask("textDocument/codeAction", range) or {}) do
  if action.isPreferred then vim.lsp.util.apply_workspace_edit(action.edit, "utf-16") end
end
expect("fix", function() return codes() == "idle-specifier missing-skill" end)
local line = vim.api.nvim_buf_get_lines(0, 2, 3, true)[1]
if line ~= "description: 'Reviews 😀: all of it'" then fail("another fix: " .. line) end

local naming = at(4, 26)
naming.newName = "prober"
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", naming), "utf-16")
line = vim.api.nvim_buf_get_lines(0, 3, 4, true)[1]
if line ~= "tools: Read, Agent(prober)" then fail("another reference: " .. line) end

at(4, 26)
vim.lsp.buf.definition()
expect("definition", function() return vim.fn.expand("%:t") == "prober.md" end)
line = vim.api.nvim_buf_get_lines(0, 1, 2, true)[1]
if line ~= "name: prober" then fail("another name: " .. line) end
vim.cmd("qall!")
