package tidepool.spi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.protocol.Protocols;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;

/** A steward that cannot do its work lets another process do it, and continues to check the nodes. */
class StewardFailureTest {
    private static final long LIMIT_SECONDS = 60;
    private static final Steward.Pace QUICK = new Steward.Pace(1_000, 1, 1_000, 1_000);

    static List<RuntimeException> failures() {
        return List.of(
                FabricException.unavailable("b#1 at 10.0.0.2:7400 does not answer; nothing was changed"),
                new IllegalStateException("a mistake of ours"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aStewardThatFailsResignsAndLooksAgain(RuntimeException failure) throws InterruptedException {
        Unlucky membership = new Unlucky(failure);
        Steward steward = new Steward(
                membership, new PoolOptions("ford", 2, 0, 1 << 20, 8, 16 * 1024), Protocols.named("ford"), QUICK);
        Thread thread = Thread.ofPlatform().daemon().start(steward::run);

        assertTrue(membership.resigned.await(LIMIT_SECONDS, TimeUnit.SECONDS), "it resigns, and later again");
        steward.close();
        thread.join(LIMIT_SECONDS * 1000);
    }

    /** A membership whose news only this process cannot read. */
    private static final class Unlucky implements Membership {
        final CountDownLatch resigned = new CountDownLatch(2);
        private final RuntimeException failure;

        Unlucky(RuntimeException failure) {
            this.failure = failure;
        }

        @Override
        public Roster latest() {
            throw failure;
        }

        @Override
        public Roster read() {
            throw failure;
        }

        @Override
        public boolean replace(Roster from, Roster to) {
            throw failure;
        }

        @Override
        public Fabric open(Roster roster) {
            throw failure;
        }

        @Override
        public boolean isGone(Roster.Member member) {
            return false;
        }

        @Override
        public List<Roster.Member> strangers() {
            return List.of();
        }

        @Override
        public void resign() {
            resigned.countDown();
        }

        @Override
        public void close() {}
    }
}
