package tidepool.workload.recorded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.check.history.HistoryRecorder;
import tidepool.protocol.AbortReason;
import tidepool.workload.RecordedWorkload;

/**
 * A client process that records. It works until it has run as many transactions as it should, or until a line, or the
 * end, comes on its standard input; so it ends with whoever started it. It may be killed at any moment. It tells by lines:
 *
 * <pre>
 *   ready                        the pool is open, work begins
 *   progress COMMITS             twenty times a second
 *   tally … · facts … · aborts REASON COUNT · done
 *   failed WHY
 * </pre>
 */
public final class ClientMain {
    /** Numbers of processes in the history that one client process may use. */
    private static final long PROCESS_NUMBERS = 100_000;

    private static final long TELL_MILLIS = 50;

    private ClientMain() {}

    /** What it is told: url, history, number, seed, threads, transactions, and then the workload. */
    record Orders(String url, Path history, int number, long seed, int threads, long transactions, WorkloadSpec spec) {
        private static final int OWN_WORDS = 6;

        List<String> words() {
            List<String> words =
                    new java.util.ArrayList<>(List.of(url, history.toString(), "" + number, "" + seed, "" + threads));
            words.add("" + transactions);
            words.addAll(spec.words());
            return words;
        }

        static Orders parse(String... words) {
            return new Orders(
                    words[0],
                    Path.of(words[1]),
                    Integer.parseInt(words[2]),
                    Long.parseLong(words[3]),
                    Integer.parseInt(words[4]),
                    Long.parseLong(words[5]),
                    WorkloadSpec.parse(Arrays.asList(words).subList(OWN_WORDS, words.length)));
        }
    }

    public static void main(String[] arguments) {
        int status = 1;
        try {
            status = run(Orders.parse(arguments));
        } catch (IOException | RuntimeException | InterruptedException e) {
            e.printStackTrace();
            say("failed " + e);
        }
        System.exit(status);
    }

    private static int run(Orders orders) throws IOException, InterruptedException {
        try (Tidepool pool = Tidepool.open(orders.url());
                HistoryRecorder recorder = HistoryRecorder.into(orders.history(), pool::tick, System::nanoTime)) {
            AtomicLong processes = new AtomicLong(orders.number() * PROCESS_NUMBERS);
            RecordedWorkload.Pen pen = new RecordedWorkload.Pen(recorder, processes::getAndIncrement);
            ClientThreads clients = new ClientThreads(orders.spec().open(pool), pen, orders.transactions());
            Randomness random = new Randomness(orders.seed()).fork("process " + orders.number());
            clients.start(orders.threads(), random);
            say("ready");
            Thread enough = Thread.ofPlatform().daemon().start(ClientMain::awaitEnd);
            while (enough.isAlive() && !clients.isDone()) {
                TimeUnit.MILLISECONDS.sleep(TELL_MILLIS);
                say("progress " + clients.commits());
            }
            clients.stop();
            if (clients.failure() != null)
                throw new IllegalStateException("a client failed: " + clients.failure(), clients.failure());
            tell(clients, pool);
        }
        say("done");
        return 0;
    }

    private static void tell(ClientThreads clients, Tidepool pool) {
        Progress progress = new Progress("client");
        clients.addTo(progress);
        say("progress " + clients.commits());
        say("tally " + progress.tally.text());
        say("facts " + progress.facts.text());
        for (AbortReason reason : AbortReason.values())
            say("aborts " + reason + " " + pool.statistics().aborts(reason));
    }

    /** Whatever comes, even the end of the stream, means that it is enough. */
    private static void awaitEnd() {
        try {
            int _ = System.in.read();
        } catch (IOException e) {
            // as good as the end
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
