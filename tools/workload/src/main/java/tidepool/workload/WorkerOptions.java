package tidepool.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of a {@link WorkerMain}, which are passed as arguments of its command line.
 *
 * @param url the pool
 * @param folder where histories and books are written
 * @param number of this worker; never used again in a run
 * @param seed of all its random choices, together with its number
 * @param tellers threads that run SmallBank
 * @param appenders threads that run list-append
 * @param accounts customers of the bank
 * @param hot hot customers of the bank
 * @param width lists in use at a time
 * @param longest elements of a full list
 * @param rows number of list keys for which the table has room
 * @param appendPauseMicros pause after each append transaction, because recorded histories are long
 */
public record WorkerOptions(
        String url,
        Path folder,
        int number,
        long seed,
        int tellers,
        int appenders,
        int accounts,
        int hot,
        int width,
        int longest,
        int rows,
        int appendPauseMicros) {
    /**
     * The highest number of threads of a worker. Each thread has a history process number of its own; the ranges of
     * workers are disjoint.
     */
    static final int MAX_THREADS = 64;

    public WorkerOptions withNumber(int newNumber) {
        return new WorkerOptions(
                url,
                folder,
                newNumber,
                seed,
                tellers,
                appenders,
                accounts,
                hot,
                width,
                longest,
                rows,
                appendPauseMicros);
    }

    public WorkerOptions withUrl(String newUrl) {
        return new WorkerOptions(
                newUrl,
                folder,
                number,
                seed,
                tellers,
                appenders,
                accounts,
                hot,
                width,
                longest,
                rows,
                appendPauseMicros);
    }

    /** Returns the file of its standard error. */
    public Path errors() {
        return folder.resolve("errors-" + number);
    }

    Path history() {
        return folder.resolve("history-" + number + ".jsonl");
    }

    Path book(int teller) {
        return folder.resolve("book-" + number + "-" + teller);
    }

    long process(int appender) {
        return (long) number * MAX_THREADS + appender;
    }

    List<String> arguments() {
        List<String> all = new ArrayList<>();
        all.add("url=" + url);
        all.add("folder=" + folder);
        all.add("number=" + number);
        all.add("seed=" + seed);
        all.add("tellers=" + tellers);
        all.add("appenders=" + appenders);
        all.add("accounts=" + accounts);
        all.add("hot=" + hot);
        all.add("width=" + width);
        all.add("longest=" + longest);
        all.add("rows=" + rows);
        all.add("appendPauseMicros=" + appendPauseMicros);
        return all;
    }

    static WorkerOptions parse(String... arguments) {
        Map<String, String> given = new HashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            given.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return new WorkerOptions(
                given.get("url"),
                Path.of(given.get("folder")),
                Integer.parseInt(given.get("number")),
                Long.parseLong(given.get("seed")),
                Integer.parseInt(given.get("tellers")),
                Integer.parseInt(given.get("appenders")),
                Integer.parseInt(given.get("accounts")),
                Integer.parseInt(given.get("hot")),
                Integer.parseInt(given.get("width")),
                Integer.parseInt(given.get("longest")),
                Integer.parseInt(given.get("rows")),
                Integer.parseInt(given.get("appendPauseMicros")));
    }
}
