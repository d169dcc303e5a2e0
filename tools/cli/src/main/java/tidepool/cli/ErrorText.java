package tidepool.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;
import tidepool.base.NameSuggestion;

/** Handlers that print an error as one sentence. A stack trace is printed only with {@code --debug}. */
final class ErrorText implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final int FAILED = 1;
    private static final int NOT_UNDERSTOOD = 2;

    /** Called when the command line was not understood. */
    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        String sentence = wrong instanceof UnmatchedArgumentException unmatched
                ? unmatched(command, unmatched.getUnmatched().getFirst())
                : decapitalized(wrong.getMessage()) + hint(command);
        say(command, sentence);
        return NOT_UNDERSTOOD;
    }

    /** Called when the command was understood and failed. */
    @Override
    public int handleExecutionException(Exception wrong, CommandLine command, ParseResult parsed) {
        return explain(command, wrong);
    }

    int explain(CommandLine command, Throwable wrong) {
        RootCommand root = (RootCommand) command.getCommandSpec().root().userObject();
        if (root.debug) wrong.printStackTrace(command.getErr());
        if (wrong instanceof UserError error) {
            say(command, error.getMessage());
            return error.exitCode();
        }
        String what = wrong.getMessage() == null ? wrong.getClass().getSimpleName() : firstLine(wrong.getMessage());
        say(command, root.debug ? what : what + " (--debug shows where)");
        return FAILED;
    }

    private static String unmatched(CommandLine command, String argument) {
        boolean isOption = argument.startsWith("-");
        boolean isCommand = !isOption && !command.getSubcommands().isEmpty();
        String kind = isOption ? "unknown option" : isCommand ? "unknown command" : "unexpected argument";
        String likely = NameSuggestion.to(
                argument,
                isOption
                        ? options(command)
                        : List.copyOf(command.getSubcommands().keySet()));
        String advice = likely == null ? hint(command) : "; did you mean '" + likely + "'?";
        return kind + " '" + argument + "'" + advice;
    }

    private static List<String> options(CommandLine command) {
        List<String> names = new ArrayList<>();
        command.getCommandSpec().options().forEach(option -> names.addAll(List.of(option.names())));
        return names;
    }

    private static String hint(CommandLine command) {
        return "; see '" + command.getCommandSpec().qualifiedName() + " --help'";
    }

    private static void say(CommandLine command, String sentence) {
        PrintWriter err = command.getErr();
        err.println("tidepool: " + sentence);
        err.flush();
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse(text);
    }

    private static String decapitalized(String text) {
        return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }
}
