;;; What Emacs shows with the settings of docs/editors.md. Run by .ci/editors in a folder with the files of tests/editors/project.

(require 'eglot)
(setq eglot-sync-connect 20)
;; The mode of another package, as far as it matters here.
(define-derived-mode markdown-mode text-mode "Markdown")

(defun fail (&rest reason)
  (message "Emacs: %s" (apply #'format reason))
  (kill-emacs 1))

(defun wait-for (what holds)
  (let ((tries 400))
    (while (and (> tries 0) (not (funcall holds)))
      (accept-process-output nil 0.05)
      (setq tries (1- tries)))
    (when (= tries 0) (fail "no %s; findings: %S" what (texts)))))

(defun texts ()
  (sort (mapcar #'flymake-diagnostic-text (flymake-diagnostics)) #'string<))

(defun has (words)
  (seq-some (lambda (text) (string-match-p (regexp-quote words) text)) (texts)))

(find-file ".claude/agents/reviewer.md")
(markdown-mode)
(call-interactively #'eglot)
(wait-for "findings" (lambda () (and (has "[unquoted-value]") (has "[missing-skill]"))))

(goto-char (point-min))
(search-forward "Agent(test")
(let ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                              (eglot--TextDocumentPositionParams))))
  (unless (string-match-p "Runs the tests" (plist-get (plist-get hover :contents) :value))
    (fail "no hover: %S" hover)))

(goto-char (point-min))
(search-forward "all of it")
(replace-match "all")
(search-backward ":")
(delete-char 1)
(eglot--signal-textDocument/didChange)
(wait-for "new findings" (lambda () (and (not (has "[unquoted-value]")) (has "[missing-skill]"))))

(search-forward "Agent(test")
(xref-find-definitions (symbol-name (symbol-at-point)))
(unless (string-suffix-p "tester.md" (buffer-file-name))
  (fail "no definition: %s" (buffer-file-name)))
(eglot-shutdown-all)
