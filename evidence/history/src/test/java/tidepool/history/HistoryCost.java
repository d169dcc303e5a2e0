package tidepool.history;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The cost of a check: a program that makes a strictly serializable history, reads it, checks it, and prints each time.
 *
 * <pre>
 *   java -Xmx2g -XX:ActiveProcessorCount=1 … tidepool.history.HistoryCost [transactions] [per key] [stale]
 *   java -Xmx2g -XX:ActiveProcessorCount=1 … tidepool.history.HistoryCost rows [transactions] [keys] [stale]
 * </pre>
 *
 * <p>Transactions have four operations, half reads and half appends, on ten keys in use. A key is retired after the
 * given number of appends, which is the length of its list, and is read at the end. With {@code stale=n}, every n-th
 * read misses the last element.
 */
final class HistoryCost {
    private static final int PROCESSES = 30;
    private static final int KEYS_IN_USE = 10;

    private HistoryCost() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length > 0 && arguments[0].equals("rows")) {
            rows(arguments);
            return;
        }
        int transactions = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 300_000;
        int perKey = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 50;
        int stale = arguments.length > 2 ? Integer.parseInt(arguments[2]) : Integer.MAX_VALUE;
        Path file = Files.createTempFile("history", ".jsonl");
        try {
            generate(file, transactions, perKey, stale);
            System.out.printf("%d transactions, %d MB%n", transactions, Files.size(file) >> 20);
            for (int run = 0; run < 2; run++) measure(file);
        } finally {
            Files.delete(file);
        }
    }

    private static void rows(String[] arguments) throws IOException {
        int transactions = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 300_000;
        int keys = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 64;
        int stale = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 0;
        Path file = Files.createTempFile("history", ".jsonl");
        try {
            new RowsMaker(keys, stale).make(file, transactions);
            System.out.printf("%d transactions, %d MB%n", transactions, Files.size(file) >> 20);
            for (int run = 0; run < 2; run++) measure(file);
        } finally {
            Files.delete(file);
        }
    }

    private static void measure(Path file) throws IOException {
        long start = System.nanoTime();
        History history = History.read(file);
        long read = System.nanoTime();
        Verdict verdict = HistoryChecker.check(history);
        long checked = System.nanoTime();
        String report = verdict.report();
        System.out.printf(
                "read %.2f s, check %.2f s%n%s%n",
                (read - start) / 1e9, (checked - read) / 1e9, report.substring(0, Math.min(3000, report.length())));
    }

    private static void generate(Path file, int transactions, int perKey, int stale) throws IOException {
        Random random = new Random(7);
        List<List<Long>> lists = new ArrayList<>();
        ArrayDeque<Object[]> open = new ArrayDeque<>();
        long index = 0;
        int firstKey = 0;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            for (int t = 0; t < transactions; t++) {
                long process = t % PROCESSES;
                if (open.size() == PROCESSES) {
                    Object[] done = open.removeFirst();
                    out.write(HistoryLines.event(index, index * 1000, (Long) done[0], "ok", operations(done[1])));
                    index++;
                }
                List<MicroOp> asked = new ArrayList<>();
                List<MicroOp> results = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    int key = firstKey + random.nextInt(KEYS_IN_USE);
                    while (lists.size() <= key) lists.add(new ArrayList<>());
                    List<Long> list = lists.get(key);
                    if (random.nextBoolean()) {
                        asked.add(MicroOp.read(key));
                        boolean missing = random.nextInt(stale) == 0 && !list.isEmpty();
                        results.add(MicroOp.readList(
                                key, RandomWorkload.longs(missing ? list.subList(0, list.size() - 1) : list)));
                    } else {
                        list.add(t * 4L + i);
                        asked.add(MicroOp.append(key, t * 4L + i));
                        results.add(asked.getLast());
                    }
                    if (lists.get(firstKey).size() >= perKey) firstKey++;
                }
                out.write(HistoryLines.event(index, index * 1000, process, "invoke", asked));
                index++;
                open.add(new Object[] {process, results});
            }
            for (Object[] done : open) {
                out.write(HistoryLines.event(index, index * 1000, (Long) done[0], "ok", operations(done[1])));
                index++;
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static List<MicroOp> operations(Object results) {
        return (List<MicroOp>) results;
    }
}
