package tidepool.mutants;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Options of a run.
 *
 * @param only a pattern of names of classes that are changed
 * @param tests a pattern of names of test classes that are run
 */
record Options(String module, int count, long seed, int seconds, int jobs, String effort, Pattern only, Pattern tests) {
    /** Parses {@code --name value} pairs, which the command has checked. */
    static Options of(List<String> arguments) {
        Deque<String> left = new ArrayDeque<>(arguments);
        Options options = new Options("protocol", 300, 1, 60, 1, "quick", Pattern.compile(""), Pattern.compile(""));
        while (!left.isEmpty()) options = options.with(left.pop(), left.pop());
        return options;
    }

    private Options with(String name, String value) {
        return switch (name) {
            case "--module" -> new Options(value, count, seed, seconds, jobs, effort, only, tests);
            case "--count" -> new Options(module, Integer.parseInt(value), seed, seconds, jobs, effort, only, tests);
            case "--seed" -> new Options(module, count, Long.parseLong(value), seconds, jobs, effort, only, tests);
            case "--seconds" -> new Options(module, count, seed, Integer.parseInt(value), jobs, effort, only, tests);
            case "--jobs" -> new Options(module, count, seed, seconds, Integer.parseInt(value), effort, only, tests);
            case "--effort" -> new Options(module, count, seed, seconds, jobs, value, only, tests);
            case "--only" -> new Options(module, count, seed, seconds, jobs, effort, Pattern.compile(value), tests);
            case "--tests" -> new Options(module, count, seed, seconds, jobs, effort, only, Pattern.compile(value));
            default -> throw new IllegalArgumentException("unknown option " + name);
        };
    }

    /** Returns the command that repeats the run. */
    @Override
    public String toString() {
        return "./tidepool mutants --module " + module + " --count " + count + " --seed " + seed + " --seconds "
                + seconds
                + " --effort " + effort + (only.pattern().isEmpty() ? "" : " --only '" + only + "'")
                + (tests.pattern().isEmpty() ? "" : " --tests '" + tests + "'");
    }
}
