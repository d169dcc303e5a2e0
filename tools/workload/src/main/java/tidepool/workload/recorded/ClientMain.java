package tidepool.workload.recorded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.history.HistoryRecorder;
import tidepool.spi.PoolAccess;
import tidepool.txn.AbortReason;
import tidepool.workload.EventCounts;
import tidepool.workload.RecordedWorkload;

/**
 * A client process that records. It opens the pool and stands by until its parent starts the work, so a replacement of
 * a killed process works at once. It works until it has run its number of transactions, or its standard input ends. So
 * it ends with its parent process. It may be killed at any moment. It reads lines:
 *
 * <pre>
 *   go TRANSACTIONS              work; 0 for no limit
 *   die AIM AIM …                see {@link AimedDeath.Aim}
 * </pre>
 *
 * and writes lines. The counts are totals since the work began, so the last ones hold for a process that dies:
 *
 * <pre>
 *   standby                      the pool is open
 *   ready                        work begins
 *   progress COMMITS             twenty times a second, and then
 *   tally … · facts … · passed … · recoveries … · aborts …
 *   dying STEP VERBS OF PROCESS  a thread stops after VERBS of OF verbs of a round, under that process number of the
 *                                history; SIGKILL is sent when all have stopped, or after a short time
 *   done · failed WHY
 * </pre>
 */
public final class ClientMain {
    /** The number of process numbers in the history that one client process may use. */
    private static final long PROCESS_NUMBERS = 100_000;

    private static final long TELL_MILLIS = 50;

    private final Orders orders;
    private final CountDownLatch told = new CountDownLatch(1);
    private final CountDownLatch enough = new CountDownLatch(1);
    private final RecoveryTally recoveries = new RecoveryTally();
    private final AimedDeath death = new AimedDeath(ClientMain::say, this::currentProcess);
    private volatile long transactions;
    private volatile ClientThreads clients;

    /** The arguments of the process: url, history, number, seed, threads, and then the workload. */
    record Orders(String url, Path history, int number, long seed, int threads, WorkloadSpec spec) {
        private static final int OWN_WORDS = 5;

        List<String> words() {
            List<String> words = new ArrayList<>(List.of(url, history.toString(), "" + number, "" + seed));
            words.add("" + threads);
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
                    WorkloadSpec.parse(Arrays.asList(words).subList(OWN_WORDS, words.length)));
        }
    }

    private ClientMain(Orders orders) {
        this.orders = orders;
    }

    public static void main(String[] arguments) {
        int status = 1;
        try {
            status = new ClientMain(Orders.parse(arguments)).run();
        } catch (IOException | RuntimeException | InterruptedException e) {
            e.printStackTrace();
            say("failed " + e);
        }
        System.exit(status);
    }

    private int run() throws IOException, InterruptedException {
        Thread.ofPlatform().daemon().start(this::obey);
        try (Tidepool pool = Tidepool.open(orders.url());
                HistoryRecorder recorder =
                        HistoryRecorder.into(orders.history(), () -> PoolAccess.historyTick(pool), System::nanoTime)) {
            PoolAccess.fabric(pool).faultSites(death);
            pool.setListener(recoveries);
            RecordedWorkload workload = orders.spec().open(pool);
            warmUp(workload, recorder);
            say("standby");
            told.await();
            if (enough.getCount() > 0) work(pool, workload, recorder);
        }
        say("done");
        return 0;
    }

    /** Makes a client once, so that the code by which clients begin is loaded and compiled before the work starts. */
    private void warmUp(RecordedWorkload workload, HistoryRecorder recorder) {
        RecordedWorkload.Pen pen = new RecordedWorkload.Pen(recorder, () -> 0);
        workload.client(pen, new Randomness(orders.seed()));
    }

    private void work(Tidepool pool, RecordedWorkload workload, HistoryRecorder recorder) throws InterruptedException {
        AtomicLong processes = new AtomicLong(orders.number() * PROCESS_NUMBERS);
        RecordedWorkload.Pen pen = new RecordedWorkload.Pen(recorder, processes::getAndIncrement);
        workload.recordPool(pen);
        clients = new ClientThreads(workload, pen, transactions);
        Randomness random = new Randomness(orders.seed()).fork("process " + orders.number());
        clients.start(orders.threads(), random);
        say("ready");
        do tell(pool);
        while (!enough.await(TELL_MILLIS, TimeUnit.MILLISECONDS) && !clients.isDone());
        clients.stop();
        if (clients.failure() != null)
            throw new IllegalStateException("a client failed: " + clients.failure(), clients.failure());
        tell(pool);
    }

    private void tell(Tidepool pool) {
        RunProgress progress = new RunProgress("client");
        clients.addTo(progress);
        say("progress " + clients.commits());
        say("tally " + progress.tally.text());
        say("facts " + progress.eventCounts.text());
        say("passed " + death.passed().text());
        say("recoveries " + recoveries.eventCounts().text());
        EventCounts aborts = new EventCounts();
        for (AbortReason reason : AbortReason.values())
            aborts.add(reason.name(), pool.statistics().aborts(reason));
        say("aborts " + aborts.text());
    }

    private long currentProcess() {
        ClientThreads now = clients;
        return now == null ? -1 : now.currentProcess();
    }

    /** Carries out the lines of the parent. The end of the stream ends the work. */
    private void obey() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", 2);
                if (words[0].equals("go")) {
                    transactions = Long.parseLong(words[1]);
                    told.countDown();
                } else {
                    death.at(AimedDeath.Aim.parse(words[1]));
                }
            }
        } catch (IOException e) {
            // counts as the end of the stream
        }
        enough.countDown();
        told.countDown();
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
