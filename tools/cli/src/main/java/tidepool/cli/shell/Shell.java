package tidepool.cli.shell;

import java.util.List;

/**
 * The loop of the shell: reads statements, runs them and prints their results until there are no more. If no person
 * watches, a failed statement ends its transaction. Otherwise a script would commit the statements that were understood
 * and skip the rest.
 */
final class Shell {
    private final ShellSession session;
    private final StatementSource source;
    private boolean timing;
    private boolean failed;
    private boolean left;

    Shell(ShellSession session, StatementSource source) {
        this.session = session;
        this.source = source;
    }

    /** Returns true if every statement was carried out, or if a person has seen the errors. */
    boolean run() {
        session.tell(source::notice);
        while (!left) {
            String line = source.next(this::prompt);
            if (line == null) break;
            runLine(line);
        }
        leave();
        return source.isWatched() || !failed;
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
            source.complain(e.getMessage());
            if (done + 1 < all) source.complain("the rest of the line was not run");
            if (!source.isWatched()) session.giveUp("a statement of it failed; nothing was applied");
        }
    }

    private void runStatement(Statement statement) {
        switch (statement) {
            case Statement.Quit _ -> left = true;
            case Statement.Timing how -> {
                if (how.on() != null) timing = how.on();
                source.answer("timing is " + (timing ? "on" : "off"));
            }
            default -> {
                ShellSession.Answer answer = session.run(statement);
                source.answer(answer.text());
                if (timing) source.answer(ShellReport.cost(answer));
            }
        }
    }

    private void leave() {
        ShellSession.State last = session.state();
        if (last != ShellSession.State.OPEN && last != ShellSession.State.READING) return;
        session.giveUp("the shell was left");
        source.notice("the open transaction was rolled back: nothing of it was applied");
        failed |= last == ShellSession.State.OPEN;
    }
}
