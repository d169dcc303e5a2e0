package tidepool.cli.shell;

import java.util.List;

/**
 * Reads statements, has them carried out and says what came of it, until there are no more. When nobody watches, a
 * statement that fails ends the transaction it is in: a script would otherwise commit the half that was understood.
 */
final class Shell {
    private final Session session;
    private final Lines lines;
    private boolean timing;
    private boolean failed;
    private boolean left;

    Shell(Session session, Lines lines) {
        this.session = session;
        this.lines = lines;
    }

    /** True if everything that was asked for was done, or a person has seen what was not. */
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

    /** What stands behind a statement that failed is not run. */
    private void runLine(String line) {
        int done = 0;
        int all = 0;
        try {
            List<List<Token>> statements = Lexer.statements(line);
            all = statements.size();
            for (List<Token> tokens : statements) {
                runStatement(StatementParser.parse(tokens));
                done++;
                if (left) return;
            }
        } catch (Refused e) {
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
                Session.Answer answer = session.run(statement);
                lines.answer(answer.text());
                if (timing) lines.answer(Report.cost(answer));
            }
        }
    }

    private void leave() {
        Session.State last = session.state();
        if (last != Session.State.OPEN && last != Session.State.READING) return;
        session.giveUp("the shell was left");
        lines.notice("the open transaction was rolled back: nothing of it was applied");
        failed |= last == Session.State.OPEN;
    }
}
