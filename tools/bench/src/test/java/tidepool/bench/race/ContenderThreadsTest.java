package tidepool.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import tidepool.base.Clock;
import tidepool.base.Strand;
import tidepool.bench.race.FakeContender.FakeDriver;

/** Threads and strands carry out their orders, and all their work is counted. Speed is not checked here. */
class ContenderThreadsTest {
    private static final long ROUND_NANOS = 60_000_000;

    /** The results contain the work of all drivers in all rounds, by type and by end. */
    @Test
    void everyTransactionIsCountedOnce() {
        FakeContender contender = new FakeContender(number -> new FakeDriver());
        try (ContenderThreads contenderThreads = new ContenderThreads(contender, new ThreadOptions(2, 1, 0, 1))) {
            contenderThreads.warmUp();
            RoundResult first = contenderThreads.round(ROUND_NANOS, progress -> {});
            RoundResult second = contenderThreads.round(ROUND_NANOS, progress -> {});

            long drawn =
                    contender.drivers.stream().mapToLong(driver -> driver.drawn).sum();
            assertEquals(drawn, first.transactions() + second.transactions());
            assertEquals(first.types().get(0).transactions(), first.count(TxnEnd.COMMITTED));
            assertEquals(first.types().get(1).transactions(), first.count(TxnEnd.ROLLED_BACK));
            assertEquals(first.transactions(), first.sum(type -> type.latency().getTotalCount()));
            assertTrue(first.nanos() >= ROUND_NANOS);
        }
        for (FakeDriver driver : contender.drivers) assertTrue(driver.warmUps == 1 && driver.closed);
    }

    /** Drivers that share a thread take turns: none is left out, though no verb ever makes one wait. */
    @Test
    void handsOnOneThreadTakeTurns() {
        FakeContender contender = new FakeContender(number -> new FakeDriver());
        try (ContenderThreads contenderThreads = new ContenderThreads(contender, new ThreadOptions(2, 4, 0, 1))) {
            assertEquals(8, contender.drivers.size());
            long counted = 0;
            // On a busy machine a thread may sleep through a round; if one hand kept the thread, it would in every
            // round.
            for (int i = 0; i < 50 && min(contender) == 0; i++)
                counted += contenderThreads.round(ROUND_NANOS, progress -> {}).transactions();

            assertTrue(min(contender) > 0);
            assertEquals(
                    contender.drivers.stream().mapToLong(driver -> driver.drawn).sum(), counted);
        }
    }

    /** A driver that has waited let the others run: its next verbs may leave with its last ones. */
    @Test
    void aHandThatHasWaitedGoesOnAtOnce() {
        FakeContender contender = new FakeContender(number -> new WaitingDriver());
        try (ContenderThreads contenderThreads = new ContenderThreads(contender, new ThreadOptions(1, 4, 0, 1))) {
            for (int i = 0; i < 50 && min(contender) < 2; i++) {
                for (FakeDriver driver : contender.drivers) ((WaitingDriver) driver).endedAt = -1;
                contenderThreads.round(ROUND_NANOS, progress -> {});
            }

            assertTrue(min(contender) >= 2);
            for (FakeDriver driver : contender.drivers) assertEquals(0, ((WaitingDriver) driver).gaveWay);
        }
    }

    /** Waits in every transaction, and notices if it was made to wait between two of them. */
    private static final class WaitingDriver extends FakeDriver {
        volatile long endedAt = -1;
        volatile int gaveWay;

        @Override
        public int draw() {
            if (endedAt >= 0 && Strand.current().turns() != endedAt) gaveWay = 1;
            return super.draw();
        }

        @Override
        public TxnEnd run() {
            Strand.giveWay();
            endedAt = Strand.current().turns();
            return super.run();
        }
    }

    private static long min(FakeContender contender) {
        return contender.drivers.stream()
                .mapToLong(driver -> driver.drawn)
                .min()
                .getAsLong();
    }

    /** In an open loop the schedule decides how many there are, and each of them is in the latencies, begun or not. */
    @Test
    void anOpenLoopCountsEveryArrival() {
        FakeContender contender = new FakeContender(number -> new FakeDriver());
        try (ContenderThreads contenderThreads = new ContenderThreads(contender, new ThreadOptions(2, 1, 10_000, 1))) {
            RoundResult round = contenderThreads.round(ROUND_NANOS, progress -> {});
            long waiting = round.unserved().latency().getTotalCount();
            assertEquals(600, round.transactions() + waiting);
        }
        try (ContenderThreads contenderThreads = new ContenderThreads(contender, new ThreadOptions(1, 3, 10_000, 1))) {
            RoundResult round = contenderThreads.round(ROUND_NANOS, progress -> {});
            long waiting = round.unserved().latency().getTotalCount();
            assertEquals(600, round.transactions() + waiting);
        }
    }

    /** A transaction that takes the whole round makes all others late, and they say so: none of them took no time. */
    @Test
    void transactionsThatWaitAfterASlowOneCountTheWait() {
        FakeContender contender = new FakeContender(number -> new FakeDriver() {
            @Override
            public TxnEnd run() {
                long end = Clock.system().nowNanos() + 2 * ROUND_NANOS;
                while (Clock.system().nowNanos() < end) LockSupport.parkNanos(ROUND_NANOS);
                return TxnEnd.COMMITTED;
            }
        });
        try (ContenderThreads contenderThreads = new ContenderThreads(contender, new ThreadOptions(1, 1, 1_000, 1))) {
            RoundResult round = Trial.round(contenderThreads, ROUND_NANOS / 1_000_000);

            assertEquals(1, round.transactions());
            assertEquals(59, round.unserved().latency().getTotalCount());
            assertTrue(round.unserved().latency().getMinValue() >= ROUND_NANOS * 0.99);
        }
    }

    /** A driver that can have several transactions under way has the highest number, and in the end none. */
    @Test
    void pipelinedTransactionsAreAllTaken() {
        FakeContender contender = new FakeContender(number -> new PipelinedFake());
        try (ContenderThreads contenderThreads = new ContenderThreads(contender, new ThreadOptions(1, 1, 0, 1))) {
            PipelinedFake driver = (PipelinedFake) contender.drivers.getFirst();
            long counted = 0;
            // On a busy machine the thread may sleep through a round.
            for (int i = 0; i < 50 && counted < driver.outstanding(); i++)
                counted += contenderThreads.round(ROUND_NANOS, progress -> {}).transactions();

            assertEquals(0, driver.underWay);
            assertEquals(driver.outstanding(), driver.max);
            assertEquals(driver.drawn, counted);
        }
    }

    private static final class PipelinedFake extends FakeDriver implements PipelinedDriver {
        int underWay;
        int max;

        @Override
        public int outstanding() {
            return 5;
        }

        @Override
        public void post() {
            max = Math.max(max, ++underWay);
        }

        @Override
        public TxnEnd take() {
            underWay--;
            return TxnEnd.COMMITTED;
        }

        @Override
        public TxnEnd run() {
            return PipelinedDriver.super.run();
        }
    }

    /** An error in a thread is reported to the caller. */
    @Test
    void aHandThatFailsIsHeard() {
        for (int coordinators : new int[] {1, 3}) {
            FakeContender contender = new FakeContender(number -> new FakeDriver() {
                @Override
                public TxnEnd run() {
                    throw new IllegalStateException("no such row");
                }
            });
            var failed = assertThrows(IllegalStateException.class, () -> {
                try (ContenderThreads contenderThreads =
                        new ContenderThreads(contender, new ThreadOptions(2, coordinators, 0, 1))) {
                    for (int i = 0; i < 50; i++) contenderThreads.round(ROUND_NANOS, progress -> {});
                }
            });
            assertEquals("no such row", failed.getMessage());
        }
    }

    @Test
    void aContenderWithoutHandsIsHeard() {
        FakeContender contender = new FakeContender(number -> {
            throw new IllegalStateException("no room");
        });
        var failed = assertThrows(
                IllegalStateException.class, () -> new ContenderThreads(contender, new ThreadOptions(1, 2, 0, 1)));
        assertEquals("no room", failed.getMessage());
    }
}
