package tidepool.bench.smallbank;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A {@link ContenderMain} in a JVM of its own, seen by the one who started it. */
final class ContenderProcess implements AutoCloseable {
    private final Contender contender;
    private final Path errors;
    private final Process process;
    private final PrintWriter orders;
    private final BufferedReader answers;
    private String settings;

    private ContenderProcess(Contender contender, Process process, Path errors) {
        this.contender = contender;
        this.process = process;
        this.errors = errors;
        this.orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts it; it loads its bank. Waits until that is done. */
    static ContenderProcess start(Contender contender, Path folder, RaceOptions options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Contender.jvmOptions(options.customers()));
        command.addAll(options.jvmOptions());
        command.addAll(List.of("-cp", options.classPath(), ContenderMain.class.getName()));
        command.addAll(List.of(contender.isOurs() ? "protocol" : "peer", contender.name(), folder.toString()));
        command.addAll(List.of(
                Integer.toString(options.customers()),
                Integer.toString(options.threads()),
                Long.toString(options.seed())));
        try {
            Path errors = Files.createFile(folder.resolveSibling(folder.getFileName() + ".errors"));
            Process process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            ContenderProcess started = new ContenderProcess(contender, process, errors);
            started.settings = started.answer("ready");
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(contender.label() + " cannot be started: " + e.getMessage(), e);
        }
    }

    RoundResult round(int number, long millis) {
        orders.println("round " + number + " " + millis);
        return RoundResult.parse(answer("result"));
    }

    Totals totals() {
        orders.println("totals");
        String[] words = answer("totals").split(" ", -1);
        return new Totals(Long.parseLong(words[0]), Long.parseLong(words[1]));
    }

    Contender contender() {
        return contender;
    }

    String settings() {
        return settings;
    }

    private String answer(String expected) {
        try {
            String line = answers.readLine();
            if (line != null && line.startsWith(expected + " ")) return line.substring(expected.length() + 1);
            throw new IllegalStateException(contender.label() + " failed: " + why(line));
        } catch (IOException e) {
            throw new UncheckedIOException(contender.label() + " cannot be heard: " + e.getMessage(), e);
        }
    }

    private String why(String line) throws IOException {
        if (line != null && line.startsWith("failed ")) return line.substring("failed ".length());
        List<String> said = Files.readAllLines(errors);
        return line != null ? line : said.isEmpty() ? "it ended without a word" : said.getLast();
    }

    /** Ends it, whatever it does. */
    @Override
    public void close() {
        orders.close();
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
