package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import tidepool.base.Waiting;
import tidepool.fabric.Fabric;
import tidepool.fabric.Link;
import tidepool.fabric.Session;

/** Whom the nodes suspect is known to every client without asking, and not suspected for ever. */
class SuspicionTest {
    @Test
    void whoVanishesIsAnnouncedUntilItIsForgotten() {
        try (TcpNodes nodes = new TcpNodes(2, true, false);
                Fabric watcher = Fabric.open(nodes.url());
                Fabric other = Fabric.open(nodes.url())) {
            TcpSession dead = working(other);
            assertFalse(watcher.isDead(dead.number()));

            vanish(dead);
            await(() -> watcher.isDead(dead.number()));
            assertArrayEquals(new int[] {dead.number()}, watcher.announcedDead());
            await(() -> other.isDead(dead.number())); // its own process hears of it too

            for (int node = 0; node < 2; node++) watcher.control(node).revoke(dead.number());
            assertTrue(watcher.isDead(dead.number()), "it is not recovered yet");
            for (int node = 1; node >= 0; node--) watcher.control(node).forget(dead.number());
            await(() -> watcher.announcedDead().length == 0 && other.announcedDead().length == 0);
        }
    }

    @Test
    void whoLeavesIsNotSuspected() {
        try (TcpNodes nodes = new TcpNodes(1, true, false);
                Fabric watcher = Fabric.open(nodes.url());
                Fabric other = Fabric.open(nodes.url())) {
            other.attach().close();
            TcpSession dead = working(other);
            vanish(dead); // whatever is to be announced of the first one is announced before this one
            await(() -> watcher.isDead(dead.number()));

            assertArrayEquals(new int[] {dead.number()}, watcher.announcedDead());
        }
    }

    /** Recoverers go by the list of node 0. A session that only another node lists would never be forgotten. */
    @Test
    void whoCannotLeaveEveryNodeStaysOnTheListOfNode0() {
        try (TcpNodes nodes = new TcpNodes(3, true, false);
                Fabric watcher = Fabric.open(nodes.url());
                Fabric other = Fabric.open(nodes.url())) {
            TcpSession leaving = working(other);
            leaving.endpoints().getFirst().connection(1).breakDown("killed while it left");

            leaving.close();

            assertArrayEquals(new int[] {leaving.number()}, watcher.control(0).sessions());
            assertArrayEquals(new int[] {leaving.number()}, watcher.control(1).sessions());
            assertArrayEquals(new int[] {}, watcher.control(2).sessions());
            await(() -> watcher.isDead(leaving.number()));
        }
    }

    /** A recovery that is rehearsed revokes its trial session at one node. No session has to recover the trial. */
    @Test
    void whoWasRevokedAndForgottenAtOneNodeLeavesTheOthers() {
        try (TcpNodes nodes = new TcpNodes(3, true, false);
                Fabric watcher = Fabric.open(nodes.url());
                Fabric other = Fabric.open(nodes.url())) {
            TcpSession leaving = working(other);
            watcher.control(2).revoke(leaving.number());
            watcher.control(2).forget(leaving.number());

            leaving.close();

            for (int node = 0; node < 3; node++)
                assertArrayEquals(new int[] {}, watcher.control(node).sessions());
        }
    }

    @Test
    void whoComesLaterHearsOfItToo() {
        try (TcpNodes nodes = new TcpNodes(1, true, false);
                Fabric other = Fabric.open(nodes.url())) {
            TcpSession dead = working(other);
            vanish(dead);
            await(() -> other.isDead(dead.number()));

            try (Fabric late = Fabric.open(nodes.url())) {
                await(() -> late.isDead(dead.number()));
            }
        }
    }

    /** Its own process may have revoked it, or another one that died before it was done. */
    @Test
    void whoWasRevokedAndNotRecoveredIsAnnouncedInTheEnd() {
        try (TcpNodes nodes = new TcpNodes(1, true, false, Duration.ofSeconds(2));
                Fabric watcher = Fabric.open(nodes.url());
                Session session = working(watcher)) {
            watcher.control(0).revoke(session.number());
            await(() -> watcher.isDead(session.number()));

            watcher.control(0).forget(session.number());
            await(() -> watcher.announcedDead().length == 0);
        }
    }

    @Test
    void connectionThatIsMadeAgainInTimeIsNoDeath() {
        try (TcpNodes nodes = new TcpNodes(1, true, false);
                Fabric watcher = Fabric.open(nodes.url());
                Fabric other = Fabric.open(nodes.url());
                Session session = other.attach()) {
            Link link = session.lane().connect(0);
            ((TcpLink) link).connection().breakDown("cut");
            link.reconnect(); // late or not: a suspicion that was wrong is taken back

            await(() -> watcher.announcedDead().length == 0);
            assertFalse(link.isBroken());
        }
    }

    /** A session that may have touched memory at every node; a dead one that opened no link is let go by the nodes. */
    private static TcpSession working(Fabric fabric) {
        TcpSession session = (TcpSession) fabric.attach();
        for (int node = 0; node < fabric.nodes(); node++) session.lane().connect(node);
        return session;
    }

    /** All connections end without a goodbye, as when a process is killed. */
    private static void vanish(TcpSession session) {
        for (Endpoint endpoint : session.endpoints()) {
            for (int node = 0; node < session.fabric().nodes(); node++)
                endpoint.connection(node).breakDown("killed");
            endpoint.poll();
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "it did not come within two minutes");
            Waiting.pause(1_000_000);
        }
    }
}
