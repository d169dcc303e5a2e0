package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Id128;
import tidepool.base.Randomness;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.memory.AccessCode;
import tidepool.testkit.PrivateFiles;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;
import tidepool.wire.tls.Tokens;

/**
 * S10: whatever a node sends, its client gets what it asked for or a {@link FabricException}. Nothing is written
 * outside the landing buffers of the verbs.
 */
class S10HostileNodeTest {
    private static final long SEED = 10;
    private static final int READ = 64;

    private FakeNode node;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        node = new FakeNode();
    }

    @AfterEach
    void stop() throws IOException {
        node.close();
    }

    record Lie(String name, UnaryOperator<byte[]> told) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Lie edit(String name, Function<ByteBuffer, ByteBuffer> change) {
        return new Lie(name, frame -> {
            ByteBuffer copy = FakeNode.buffer(frame.length).put(frame).rewind();
            return change.apply(copy.order(ByteOrder.LITTLE_ENDIAN)).array();
        });
    }

    private static Lie resized(String name, int by) {
        return new Lie(name, frame -> {
            byte[] other = Arrays.copyOf(frame, Math.max(Frame.HEADER, frame.length + by));
            ByteBuffer.wrap(other).order(ByteOrder.LITTLE_ENDIAN).putInt(Frame.BYTES, other.length);
            return other;
        });
    }

    static Stream<Lie> lies() {
        return Stream.of(
                resized("a word too short", -8),
                resized("a word too long", 8),
                resized("nothing but a header", -100_000),
                edit("a length of zero", f -> f.putInt(Frame.BYTES, 0)),
                edit("a length that is not of words", f -> f.putInt(Frame.BYTES, 20)),
                edit("a length of two gigabytes", f -> f.putInt(Frame.BYTES, Integer.MAX_VALUE - 7)),
                edit("a negative length", f -> f.putInt(Frame.BYTES, -8)),
                edit("a kind that is none", f -> f.put(Frame.KIND, (byte) 99)),
                edit("a kind of requests", f -> f.put(Frame.KIND, (byte) Frame.ROUND)),
                edit("another kind of answer", f -> f.put(Frame.KIND, (byte) Frame.BEAT)),
                edit("a wrong sequence", f -> f.putInt(Frame.SEQUENCE, f.getInt(Frame.SEQUENCE) + 1)),
                edit("a status that is none", f -> f.put(Frame.STATUS, (byte) 77)),
                new Lie("garbage", _ -> "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes()),
                new Lie("nothing", _ -> null),
                new Lie("a refusal with a long text", frame -> refusal(frame, 60_000)));
    }

    private static byte[] refusal(byte[] frame, int count) {
        byte[] refused = FakeNode.frame(Frame.REFUSED, count, 0, 0, "go away ".getBytes());
        refused[Frame.STATUS] = 2;
        return refused;
    }

    /** Each of two links of a lane accepts only answers for itself. Replies belong to no link. */
    @Test
    void anAnswerForAnotherLinkIsNotBelieved() {
        try (Fabric fabric = Fabric.open(node.url());
                Session session = fabric.attach();
                Lane lane = session.lane()) {
            Region region = lane.connect(0).open(new Id128(5, 6));
            lane.connect(0);
            MemorySegment landing = lane.landing(READ);
            for (int bytes : new int[] {8, READ}) {
                node.lie(Frame.ANSWER, frame -> {
                    ByteBuffer said = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
                    said.putInt(Frame.LINK, said.getInt(Frame.LINK) + 1);
                    return frame;
                });
                Round round = lane.round(1).read(region, 0, bytes, landing, 0).post();

                FabricException wrong = assertThrows(FabricException.class, round::await);

                assertTrue(wrong.getMessage().contains("answered for another link"), wrong.getMessage());
                assertEquals(Effect.UNKNOWN, round.verb(0).effect());
                node.lie(0, frame -> frame);
                region.link().reconnect();
                region = region.link().open(new Id128(5, 6));
            }
        }
    }

    /**
     * A WRITE of three frames. If some frames took effect before one is refused, the effect is unknown, never not done.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aVerbOfSeveralFramesIsUnknownWhenSomeLanded(int landed) {
        long length = 5L << 19; // three frames
        AtomicInteger answers = new AtomicInteger();
        try (Fabric fabric = Fabric.open(node.url());
                Session session = fabric.attach();
                Lane lane = session.lane()) {
            Region region = lane.connect(0).open(new Id128(5, 6));
            MemorySegment source = lane.landing(length);
            node.lie(Frame.ANSWER, frame -> {
                int number = answers.getAndIncrement();
                ByteBuffer head = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
                int refused = number == landed ? AccessCode.KEY : Frame.BROKEN;
                boolean done = number < landed;
                return FakeNode.buffer(Frame.HEADER)
                        .putLong(Frame.head(Frame.HEADER, Frame.ANSWER, done ? 0 : refused, done ? 1 : 0))
                        .putLong(head.getLong(Frame.LINK))
                        .array();
            });
            Round round = lane.round(1).write(region, 0, length, source, 0).post();

            FabricException wrong = assertThrows(FabricException.class, round::await);

            assertEquals(
                    landed == 0 ? Effect.NOT_DONE : Effect.UNKNOWN,
                    round.verb(0).effect());
            assertEquals(landed == 0 ? Refusal.KEY : null, landed == 0 ? wrong.refusal() : null);
            assertTrue(answers.get() > landed, "answers: " + answers.get());
            node.lie(0, frame -> frame);
        }
    }

    /**
     * A node revokes a session between two frames of a WRITE: it has executed no frame that it has not answered. The
     * WRITE is not done only if that holds for all of its frames, and the client does not keep which it has answered.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aVerbOfSeveralFramesIsUnknownWhenItsSessionIsRevokedInTheMiddle(int landed) {
        long length = 5L << 19; // three frames
        AtomicInteger answers = new AtomicInteger();
        try (Fabric fabric = Fabric.open(node.url());
                Session session = fabric.attach();
                Lane lane = session.lane()) {
            Region region = lane.connect(0).open(new Id128(5, 6));
            MemorySegment source = lane.landing(length);
            node.lie(Frame.ANSWER, frame -> {
                ByteBuffer head = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
                if (answers.getAndIncrement() >= landed) return revocation();
                return FakeNode.buffer(Frame.HEADER)
                        .putLong(Frame.head(Frame.HEADER, Frame.ANSWER, 0, 1))
                        .putLong(head.getLong(Frame.LINK))
                        .array();
            });
            Round round = lane.round(2)
                    .write(region, 0, length, source, 0)
                    .write(region, 0, 1)
                    .post();

            FabricException wrong = assertThrows(FabricException.class, round::await);

            assertEquals(Effect.UNKNOWN, round.verb(0).effect());
            assertEquals(Effect.NOT_DONE, round.verb(1).effect(), "a frame of its own, which was not answered");
            assertEquals(Refusal.EPOCH, wrong.refusal());
            node.lie(0, frame -> frame);
        }
    }

    private static byte[] revocation() {
        byte[] text = "revoked ".getBytes(StandardCharsets.UTF_8);
        byte[] refused = FakeNode.frame(Frame.REFUSED, text.length, 0, 0, text);
        refused[Frame.STATUS] = RefusedCode.REVOKED;
        return refused;
    }

    @ParameterizedTest
    @MethodSource("lies")
    void aLieInAnAnswerIsATypedError(Lie lie) {
        try (Fabric fabric = Fabric.open(node.url());
                Session session = fabric.attach();
                Lane lane = session.lane()) {
            Region region = lane.connect(0).open(new Id128(5, 6));
            MemorySegment landing = lane.landing(READ + 64);
            landing.fill((byte) 0x55);
            node.lie(Frame.ANSWER, lie.told);

            FabricException wrong = assertThrows(FabricException.class, () -> read(lane, region, landing));

            assertNotNull(wrong.reason());
            for (int i = READ; i < READ + 64; i++)
                assertEquals(0x55, landing.get(java.lang.foreign.ValueLayout.JAVA_BYTE, i), "nothing landed beside");
            node.lie(0, frame -> frame);
        }
    }

    private static void read(Lane lane, Region region, MemorySegment landing) {
        Round round = lane.round(1);
        round.read(region, 0, READ, landing, 0).post().await();
    }

    @ParameterizedTest
    @MethodSource("lies")
    void aLieInAReplyIsATypedError(Lie lie) {
        try (Fabric fabric = Fabric.open(node.url())) {
            node.lie(Frame.REPLY, lie.told);
            // a later version of a node may send more words than the client asks for
            if (lie.name.equals("a word too long")) return;

            FabricException wrong =
                    assertThrows(FabricException.class, () -> fabric.control(0).epoch());

            assertNotNull(wrong.reason());
            node.lie(0, frame -> frame);
            assertEquals(1, fabric.control(0).epoch(), "a new connection, and it goes on");
        }
    }

    /** Absurd words: numbers out of every range, in every reply that has results. */
    @Test
    void absurdWordsInRepliesDoNoHarm() {
        Randomness random = new Randomness(SEED);
        long[] edges = {-1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, 1L << 40, Integer.MIN_VALUE, 0x7fff_ffffL};
        try (Fabric fabric = Fabric.open(node.url())) {
            node.lie(Frame.REPLY, frame -> {
                ByteBuffer words = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
                for (int at = Frame.HEADER; at < frame.length; at += 8)
                    words.putLong(at, edges[random.nextInt(edges.length)]);
                return frame;
            });
            Id128 capability = new Id128(5, 6);
            for (int i = 0; i < 20; i++) {
                typedOrFine(() -> fabric.control(0).sessions());
                typedOrFine(() -> fabric.control(0).regions());
                typedOrFine(() -> fabric.control(0).statistics());
                typedOrFine(() -> fabric.control(0).allocate(capability, 64, 0));
                typedOrFine(() -> fabric.control(0).isRevoked(3));
                typedOrFine(() -> fabric.attach().close());
            }
            node.lie(0, frame -> frame);
        }
    }

    private static void typedOrFine(Runnable call) {
        try {
            call.run();
        } catch (FabricException e) {
            assertNotNull(e.reason());
        }
    }

    /**
     * The handshake too: whatever is altered in it, opening the pool fails with a typed error, or the change did not
     * matter.
     */
    @ParameterizedTest
    @MethodSource("lies")
    void aLieInTheHandshakeIsATypedError(Lie lie) {
        for (int kind : new int[] {Frame.CHALLENGE, Frame.WELCOME}) {
            node.lie(kind, lie.told);
            typedOrFine(() -> Fabric.open(node.url()).close());
        }
    }

    /** Sets every byte of both frames to its extremes. */
    @Test
    void everyByteOfTheHandshakeMayBeWrong() {
        for (int kind : new int[] {Frame.CHALLENGE, Frame.WELCOME}) {
            int bytes = Frame.HEADER + (kind == Frame.CHALLENGE ? 88 : 56);
            for (int at = 0; at < bytes; at += kind == Frame.CHALLENGE && at > 24 && at < 80 ? 8 : 1) {
                int place = at;
                // With a wrong length the client would only wait for missing bytes until its time is over.
                if (place < 4) continue;
                node.lie(kind, frame -> {
                    frame[place] = (byte) 0xff;
                    return frame;
                });
                typedOrFine(() -> Fabric.open(node.url()).close());
            }
        }
    }

    /** A node without the token is refused and does not get the client's proof. */
    @Test
    void aNodeWithoutTheTokenIsNotBelieved() {
        Path token = PrivateFiles.write(folder.resolve("token"), Tokens.random());
        node.lie(Frame.CHALLENGE, frame -> {
            frame[Frame.HEADER + 4] = 1; // method: token; the proof is zeros
            return frame;
        });

        FabricException wrong =
                assertThrows(FabricException.class, () -> Fabric.open(node.url() + "&user=alice&tokenFile=" + token));

        assertTrue(wrong.getMessage().contains("does not know our token"), wrong.getMessage());
        assertEquals(0, node.proofs());
    }

    /**
     * Otherwise an attacker in between could pretend that no token is needed, and the client would accept it as the
     * node.
     */
    @Test
    void whoBringsATokenInsistsThatTheNodeHasItToo() {
        Path token = PrivateFiles.write(folder.resolve("token"), Tokens.random());

        FabricException wrong =
                assertThrows(FabricException.class, () -> Fabric.open(node.url() + "&user=alice&tokenFile=" + token));

        assertTrue(wrong.getMessage().contains("asks for no token"), wrong.getMessage());
        assertEquals(0, node.proofs());
    }
}
