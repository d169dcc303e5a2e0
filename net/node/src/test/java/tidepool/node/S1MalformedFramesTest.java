package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.wire.ControlCode;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;

/** S1: frames that break the rules end their connection, are counted, and do nothing. */
class S1MalformedFramesTest {
    private Attacked node;

    @BeforeEach
    void start() throws IOException {
        node = new Attacked();
    }

    @AfterEach
    void stop() throws IOException {
        node.close();
    }

    /** Makes a valid round of an attacker that has the region open. No changed version of it may be executed. */
    private byte[] round(long handle) {
        return RawClient.round(
                0, 7, new Verbs().write(handle, 0, 1, 2, 3).read(handle, 0, 8).flush());
    }

    private RawClient insider() throws IOException {
        return node.insider(RawHandshake.ANONYMOUS);
    }

    private long open(RawClient raw) throws IOException {
        return raw.control(ControlCode.OPEN_REGION, 0, node.capabilityHigh, node.capabilityLow)
                .word(0);
    }

    private void assertMalformed(byte[] frame) throws IOException {
        long before = node.count(NodeCounter.REFUSED_MALFORMED);
        try (RawClient raw = insider()) {
            raw.send(frame);
            Attacked.assertCut(raw, RefusedCode.MALFORMED);
        }
        node.awaitCount(NodeCounter.REFUSED_MALFORMED, before + 1);
    }

    private byte[] changed(Consumer<byte[]> change) throws IOException {
        try (RawClient raw = insider()) {
            byte[] frame = round(open(raw));
            change.accept(frame);
            return frame;
        }
    }

    private static void put32(byte[] frame, int at, long value) {
        for (int i = 0; i < 4; i++) frame[at + i] = (byte) (value >> 8 * i);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 8, 15, 17, 20, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, (1 << 20) + 8})
    void noLengthIsBelieved(long length) throws IOException {
        assertMalformed(changed(frame -> put32(frame, Frame.BYTES, length)));
        node.assertUnharmed();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                Frame.HELLO,
                Frame.CHALLENGE,
                Frame.PROOF,
                Frame.WELCOME,
                Frame.REFUSED,
                Frame.ANSWER,
                Frame.REPLY,
                Frame.SUSPECTS,
                13,
                127,
                128,
                255
            })
    void kindsThatAClientDoesNotSendAreRefused(int kind) throws IOException {
        assertMalformed(changed(frame -> frame[Frame.KIND] = (byte) kind));
        node.assertUnharmed();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 4, 0x7fff, 0xffff})
    void aCountThatIsNotThatOfTheVerbsIsRefused(int count) throws IOException {
        assertMalformed(changed(frame -> {
            frame[Frame.COUNT] = (byte) count;
            frame[Frame.COUNT + 1] = (byte) (count >> 8);
        }));
        node.assertUnharmed();
    }

    @Test
    void aStatusInARequestIsRefused() throws IOException {
        assertMalformed(changed(frame -> frame[Frame.STATUS] = 1));
        node.assertUnharmed();
    }

    /** Kind 0 and other unknown kinds; bits that must be zero; a FLUSH with a handle. */
    @Test
    void verbsThatDoNotExistAreRefused() throws IOException {
        for (int kind : new int[] {0, 10, 11, 127, 255}) assertMalformed(changed(f -> f[Frame.HEADER] = (byte) kind));
        assertMalformed(changed(frame -> frame[Frame.HEADER + 1] = 1));
        assertMalformed(RawClient.frame(Frame.ROUND, 1, 0, 1, RawClient.words(7 | 1L << 16, 0)));
        assertMalformed(RawClient.frame(Frame.ROUND, 1, 0, 1, RawClient.words(7, 1)));
        assertMalformed(RawClient.frame(Frame.ROUND, 0, 0, 1, new byte[0]));
        node.assertUnharmed();
    }

    /** A frame whose length is whole words shorter than its verbs, and a frame with words after its verbs. */
    @Test
    void bodiesThatAreTooShortOrTooLongAreRefused() throws IOException {
        byte[] good = changed(frame -> {});
        for (int bytes = Frame.HEADER; bytes < good.length; bytes += 8) {
            byte[] cut = Arrays.copyOf(good, bytes);
            put32(cut, Frame.BYTES, bytes);
            assertMalformed(cut);
        }
        byte[] longer = Arrays.copyOf(good, good.length + 8);
        put32(longer, Frame.BYTES, longer.length);
        assertMalformed(longer);
        node.assertUnharmed();
    }

    /** Frames cut at every third byte: an incomplete frame is not executed, and its end is no error of the node. */
    @Test
    void everyTruncationDoesNothing() throws IOException {
        byte[] good = changed(frame -> {});
        long closed = node.count(NodeCounter.CONNECTIONS_CLOSED);
        for (int bytes = 1; bytes < good.length; bytes += 3) {
            try (RawClient raw = insider()) {
                open(raw);
                raw.send(Arrays.copyOf(good, bytes));
            }
        }
        node.awaitCount(NodeCounter.CONNECTIONS_CLOSED, closed + (good.length + 1) / 3);
        node.assertUnharmed();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 25, 255, -1, Long.MAX_VALUE, Long.MIN_VALUE})
    void unknownControlCallsAreRefused(long operation) throws IOException {
        assertMalformed(RawClient.frame(Frame.CONTROL, 1, 0, 1, RawClient.words(operation)));
        node.assertUnharmed();
    }

    @Test
    void controlCallsWithOtherArgumentsAreRefused() throws IOException {
        for (long operation = ControlCode.NEXT_SESSION; operation <= ControlCode.LIVES; operation++) {
            long[] words = new long[7]; // more than any call takes
            words[0] = operation;
            assertMalformed(RawClient.frame(Frame.CONTROL, words.length, 0, 1, RawClient.words(words)));
        }
        assertMalformed(RawClient.frame(Frame.CONTROL, 0, 0, 1, new byte[0]));
        assertMalformed(RawClient.frame(Frame.BEAT, 0, 0, 1, new byte[8]));
        assertMalformed(RawClient.frame(Frame.BEAT, 0, 1, 1, new byte[0]));
        node.assertUnharmed();
    }

    /** The way in which the network splits and joins frames makes no difference. */
    @Test
    void splitAndMergedFramesAreAnsweredAlike() throws IOException {
        try (RawClient raw = insider()) {
            long handle = open(raw);
            byte[] one = RawClient.round(0, 11, new Verbs().read(handle, 0, 16).flush());
            for (byte part : one) raw.send(new byte[] {part});
            RawClient.Answer split = raw.answer();
            byte[] two = Arrays.copyOf(one, 2 * one.length);
            System.arraycopy(one, 0, two, one.length, one.length);
            raw.send(two);
            RawClient.Answer first = raw.answer();
            RawClient.Answer second = raw.answer();

            assertEquals(split.body(), first.body());
            assertEquals(first.body(), second.body());
            assertEquals(2, second.count());
        }
        node.assertUnharmed();
    }
}
