# The formula of Homebrew, for a tap.
class Callsheet < Formula
  desc "Lint, inspect, convert and run AI agent files"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license any_of: ["Apache-2.0", "MIT"]

  on_macos do
    on_arm do
      url "@BASE@/callsheet-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256-aarch64-apple-darwin@"
    end
    on_intel do
      url "@BASE@/callsheet-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256-x86_64-apple-darwin@"
    end
  end

  # Static: formulas run where glibc may be older than that of the other program.
  on_linux do
    on_arm do
      url "@BASE@/callsheet-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256-aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@BASE@/callsheet-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256-x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "callsheet"
    generate_completions_from_executable(bin/"callsheet", "completions")
  end

  test do
    (testpath/".claude/agents/a.md").write "---\nname: a\ndescription: Says: hello\n---\nHello.\n"
    assert_match "unquoted-value", shell_output("#{bin}/callsheet check --no-home", 1)
  end
end
