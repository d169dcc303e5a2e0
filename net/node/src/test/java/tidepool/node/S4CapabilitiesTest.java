package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.memory.AccessCode;
import tidepool.node.security.TokenFileAuthenticator;
import tidepool.testkit.PrivateFiles;
import tidepool.wire.ControlCode;
import tidepool.wire.ControlStatus;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;
import tidepool.wire.Transports;
import tidepool.wire.tls.Tokens;

/** S4: a capability cannot be guessed or borrowed, and opens no more than the client's rights. */
class S4CapabilitiesTest {
    private static final String FRIENDS = Tokens.random();
    private static final String READERS = Tokens.random();
    private static final RawHandshake FRIEND = RawHandshake.of("friend", FRIENDS);
    private static final RawHandshake READER = RawHandshake.of("reader", READERS);

    @TempDir
    private Path folder;

    private NodeOptions options;
    private Attacked node;

    @BeforeEach
    void start() throws IOException {
        Path file = PrivateFiles.write(
                folder.resolve("credentials"),
                "friend " + FRIENDS + " *:all\nreader " + READERS + " " + Attacked.POOL + ":read\n");
        options = NodeOptions.onLoopback("memory-0", 0, 64L << 20)
                .withSecurity(TokenFileAuthenticator.open(file), Transports.PLAIN);
        node = new Attacked(options, FRIEND);
    }

    @AfterEach
    void stop() throws IOException {
        node.close();
    }

    private static RawClient.Answer open(RawClient raw, long high, long low) throws IOException {
        return raw.control(ControlCode.OPEN_REGION, 0, high, low);
    }

    private List<Id128> guesses() {
        List<Id128> guesses = new ArrayList<>();
        for (int i = 0; i < 20; i++) guesses.add(new Id128(0, i));
        for (int bit = 0; bit < 64; bit++) {
            guesses.add(new Id128(node.capabilityHigh ^ 1L << bit, node.capabilityLow));
            guesses.add(new Id128(node.capabilityHigh, node.capabilityLow ^ 1L << bit));
        }
        guesses.add(new Id128(node.capabilityHigh, node.capabilityLow + 1));
        guesses.add(new Id128(node.capabilityHigh, node.capabilityLow - 1));
        guesses.add(new Id128(node.capabilityLow, node.capabilityHigh));
        guesses.add(new Id128(-1, -1));
        return guesses;
    }

    /**
     * Guesses by sequences, neighbours and single bits open nothing and are counted. A client that continues is cut.
     */
    @Test
    void guessesOpenNothingAndEndTheConnection() throws IOException {
        List<Id128> guesses = guesses();
        int tried = 0;
        while (tried < guesses.size()) {
            long before = node.count(NodeCounter.REFUSED_RIGHT);
            try (RawClient raw = node.insider(FRIEND)) {
                for (int i = 0; i < ControlExecutor.MAX_WRONG_CAPABILITIES && tried < guesses.size(); i++) {
                    Id128 guess = guesses.get(tried++);
                    assertEquals(
                            ControlStatus.KEY,
                            open(raw, guess.high(), guess.low()).status());
                }
                if (tried == guesses.size()) break;
                RawClient.Answer cut = open(raw, 1, 2);
                assertEquals(Frame.REFUSED, cut.kind());
                assertEquals(RefusedCode.RIGHT, cut.status());
                assertEquals(null, raw.readOrEnd());
                assertEquals(before + 1, node.count(NodeCounter.REFUSED_RIGHT));
            }
        }
        assertTrue(node.count(NodeCounter.CONTROLS_REFUSED) >= guesses.size());
        assertTrue(node.server.status().toText().contains("too many capabilities"), "the audit says so");
        node.assertUnharmed();
    }

    /** A capability from before a restart of the node, or of a freed region, opens nothing. */
    @Test
    void oldCapabilitiesOpenNothing() throws IOException {
        try (RawClient raw = node.insider(FRIEND)) {
            RawClient.Answer made = raw.control(ControlCode.CREATE_REGION, 4096);
            raw.control(ControlCode.FREE_REGION, made.word(0), made.word(1));
            assertEquals(
                    ControlStatus.KEY, open(raw, made.word(0), made.word(1)).status());
        }
        try (Attacked again = new Attacked(options, FRIEND);
                RawClient raw = again.insider(FRIEND)) {
            assertEquals(
                    ControlStatus.KEY,
                    open(raw, node.capabilityHigh, node.capabilityLow).status());
            again.assertUnharmed();
        }
    }

    /**
     * A handle is valid only on its connection. On another connection it opens nothing, however easy it is to guess.
     */
    @Test
    void handlesOfOthersMeanNothing() throws IOException {
        for (long handle = node.handle - 2; handle < node.handle + 300; handle += 7) {
            try (RawClient raw = node.insider(FRIEND)) {
                if (handle < 0) continue;
                RawClient.Answer answer = raw.round(new Verbs().write(handle, 0, 1));
                assertEquals(AccessCode.KEY, answer.status());
            }
        }
        node.assertUnharmed();
    }

    @Test
    void whoMayOnlyReadChangesNothing() throws IOException {
        List<Verbs> changes = List.of(
                new Verbs().write(0, 0, 1),
                new Verbs().cas(0, 0, 0, 1),
                new Verbs().faa(0, 0, 1),
                new Verbs().maskedCas(0, 0, 0, 0, 1, -1),
                new Verbs().maskedFaa(0, 0, 1, 0),
                new Verbs().call(1, 64, 1),
                new Verbs().chain(0, 0));
        try (RawClient raw = node.insider(READER)) {
            for (Verbs change : changes) {
                raw.control(ControlCode.OPEN_LINK, 0);
                long handle = open(raw, node.capabilityHigh, node.capabilityLow).word(0);
                assertEquals(0, raw.round(new Verbs().read(handle, 0, 8)).status());
                assertEquals(AccessCode.RIGHT, raw.round(change).status(), "verb " + changes.indexOf(change));
            }
            long high = node.capabilityHigh;
            long low = node.capabilityLow;
            assertEquals(
                    ControlStatus.RIGHT,
                    raw.control(ControlCode.CREATE_REGION, 4096).status());
            assertEquals(
                    ControlStatus.RIGHT,
                    raw.control(ControlCode.FREE_REGION, high, low).status());
            assertEquals(
                    ControlStatus.RIGHT,
                    raw.control(ControlCode.ALLOCATE, high, low, 64, 0).status());
            assertEquals(
                    ControlStatus.RIGHT,
                    raw.control(ControlCode.FREE, high, low, 0, 64).status());
            assertEquals(ControlStatus.RIGHT, raw.control(ControlCode.REVOKE, 1).status());
            assertEquals(ControlStatus.RIGHT, raw.control(ControlCode.FORGET, 1).status());
            assertEquals(
                    ControlStatus.RIGHT, raw.control(ControlCode.RAISE_EPOCH, 9).status());
            assertEquals(ControlStatus.RIGHT, raw.control(ControlCode.STATUS).status());
        }
        assertEquals(changes.size(), node.count(NodeCounter.VERBS_REFUSED_RIGHT));
        node.assertUnharmed();
    }

    @Test
    void aPoolWithoutARightIsClosed() {
        IOException refused = assertThrows(IOException.class, () -> READER.enter(node.server, "other"));

        assertTrue(refused.getMessage().contains("no right"), refused.getMessage());
        assertEquals(1, node.count(NodeCounter.REFUSED_RIGHT));
        assertThrows(IOException.class, () -> READER.enter(node.server, ""));
    }

    /** A revoked session has nothing open any more, on its present connections and on new ones. */
    @Test
    void nothingIsOpenAfterARevocation() throws IOException {
        long session = node.control.nextSession();
        try (RawClient victim = FRIEND.enter(node.server, Attacked.POOL)) {
            victim.control(ControlCode.ATTACH, session, 4, 5, 6);
            victim.control(ControlCode.OPEN_LINK, 0);
            long handle = open(victim, node.capabilityHigh, node.capabilityLow).word(0);
            node.control.control(ControlCode.REVOKE, session);
            victim.send(RawClient.round(0, 99, new Verbs().write(handle, 0, 1)));
            Attacked.assertCut(victim, RefusedCode.REVOKED);
        }
        try (RawClient again = FRIEND.enter(node.server, Attacked.POOL)) {
            assertEquals(
                    ControlStatus.EPOCH,
                    again.control(ControlCode.ATTACH, session, 4, 5, 6).status());
        }
        node.assertUnharmed();
    }

    /** A session cannot be joined or ended by another client without its secret. */
    @Test
    void aSessionIsItsOwners() throws IOException {
        long session = node.control.nextSession();
        try (RawClient owner = FRIEND.enter(node.server, Attacked.POOL);
                RawClient thief = FRIEND.enter(node.server, Attacked.POOL)) {
            owner.control(ControlCode.ATTACH, session, 4, 5, 6);

            assertEquals(
                    ControlStatus.RIGHT,
                    thief.control(ControlCode.ATTACH, session, 4, 6, 6).status());
            assertEquals(
                    ControlStatus.RIGHT,
                    thief.control(ControlCode.DETACH, session, 0, 0).status());
            assertEquals(0, owner.control(ControlCode.OPEN_LINK, 0).status());
        }
    }

    /** Of a million capabilities half have each bit set, within seven standard deviations, and all differ. */
    @Test
    void capabilitiesHaveNoPattern() {
        int count = 1_000_000;
        Ids ids = Ids.secure();
        int[] set = new int[128];
        long changed = 0;
        Set<Id128> seen = HashSet.newHashSet(count);
        Id128 before = ids.next();
        for (int i = 0; i < count; i++) {
            Id128 id = ids.next();
            seen.add(id);
            for (int bit = 0; bit < 64; bit++) {
                set[bit] += (int) (id.low() >>> bit & 1);
                set[64 + bit] += (int) (id.high() >>> bit & 1);
            }
            changed += Long.bitCount(id.low() ^ before.low()) + Long.bitCount(id.high() ^ before.high());
            before = id;
        }
        assertEquals(count, seen.size());
        for (int bit = 0; bit < 128; bit++) assertEquals(count / 2.0, set[bit], 7 * 500, "bit " + bit);
        assertEquals(64.0 * count, changed, 7 * Math.sqrt(32.0 * count), "bits that differ between neighbours");
    }

    /** The node draws capabilities from this source: those of its regions differ in about half of their bits. */
    @Test
    void theNodesCapabilitiesHaveNoPattern() throws IOException {
        List<Id128> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            RawClient.Answer made = node.friend.control(ControlCode.CREATE_REGION, 4096);
            Id128 id = new Id128(made.word(0), made.word(1));
            for (Id128 other : all) {
                int bits = Long.bitCount(id.high() ^ other.high()) + Long.bitCount(id.low() ^ other.low());
                assertTrue(bits > 20 && bits < 108, "only " + bits + " bits differ");
            }
            all.add(id);
        }
    }
}
