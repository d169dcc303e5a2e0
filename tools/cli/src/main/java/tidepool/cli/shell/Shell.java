package tidepool.cli.shell;

import java.util.List;

/**
 * The loop of the shell: reads statements, runs them and prints their results until there are no more. If no person
 * watches, a failed statement ends its transaction. Otherwise a script would commit the statements that were understood
 * and skip the rest.
 */
final class Shell {
    private final ShellSession session;
    private final StatementSource lines;
    private boolean timing;
    private boolean failed;
    private boolean left;

    Shell(ShellSession session, StatementSource lines) {
        this.session = session;
        this.lines = lines;
    }

    /** Returns true if every statement was carried out, or if a person has seen the errors. */
    boolean run() {
        session.tell(lines::notice);
        while (!left) {
            String line = lines.next(this::prompt);
            if (line == null) break;
            runLine(line);
        }
        leave();
        return lines.isWatched() || !failed;
    }

    private String prompt() {
        return switch (session.state()) {
            case NONE -> "tidepool> ";
            case OPEN -> "tidepool (transaction)> ";
            case READING -> "tidepool (reading)> ";
            case ABORTED -> "tidepool (aborted)> ";
        };
    }

    /** Runs the statements of a line. Statements after a failed one are not run. */
    private void runLine(String line) {
        int done = 0;
        int all = 0;
        try {
            List<List<LexToken>> statements = Lexer.statements(line);
            all = statements.size();
            for (List<LexToken> tokens : statements) {
                runStatement(StatementParser.parse(tokens));
                done++;
                if (left) return;
            }
        } catch (StatementException e) {
            failed = true;
            lines.complain(e.getMessage());
            if (done + 1 < all) lines.complain("the rest of the line was not run");
            if (!lines.isWatched()) session.giveUp("a statement of it failed; nothing was applied");
        }
    }

    private void runStatement(Statement statement) {
        switch (statement) {
            case Statement.Quit _ -> left = true;
            case Statement.Timing how -> {
                if (how.on() != null) timing = how.on();
                lines.answer("timing is " + (timing ? "on" : "off"));
            }
            default -> {
                ShellSession.Answer answer = session.run(statement);
                lines.answer(answer.text());
                if (timing) lines.answer(ShellReport.cost(answer));
            }
        }
    }

    private void leave() {
        ShellSession.State last = session.state();
        if (last != ShellSession.State.OPEN && last != ShellSession.State.READING) return;
        session.giveUp("the shell was left");
        lines.notice("the open transaction was rolled back: nothing of it was applied");
        failed |= last == ShellSession.State.OPEN;
    }
}
