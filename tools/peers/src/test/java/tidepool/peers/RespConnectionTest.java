package tidepool.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The protocol of Redis against a socket that the test controls: no Redis is needed. */
class RespConnectionTest {
    private SocketChannel other;
    private RespConnection connection;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            connection = new RespConnection(SocketChannel.open(server.getLocalAddress()));
            other = server.accept();
        }
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
        other.close();
    }

    private void say(String text) throws IOException {
        other.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private String heard(int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) other.read(buffer);
        return new String(buffer.array(), StandardCharsets.US_ASCII);
    }

    @Test
    void aCommandIsAnArrayOfStrings() throws IOException {
        connection.command(5).word("SET").word('c', 120).word(0).word(-57).word(new byte[] {'\r', '\n'});
        String expected = "*5\r\n$3\r\nSET\r\n$4\r\nc120\r\n$1\r\n0\r\n$3\r\n-57\r\n$2\r\n\r\n\r\n";
        say("+OK\r\n");
        assertEquals("OK", connection.line());
        assertEquals(expected, heard(expected.length()));
    }

    @Test
    void answersOfAllKindsAreRead() throws IOException {
        say(":0\r\n:-120\r\n$3\r\nabc\r\n$-1\r\n*2\r\n:1\r\n$0\r\n\r\n");
        byte[] value = new byte[8];
        assertEquals(0, connection.number());
        assertEquals(-120, connection.number());
        assertEquals(3, connection.string(value));
        assertEquals("abc", new String(value, 0, 3, StandardCharsets.US_ASCII));
        assertEquals(-1, connection.string(value));
        assertEquals(2, connection.parts());
        assertEquals(1, connection.number());
        assertEquals(0, connection.string(value));

        say("+OK\r\n:7\r\n+NO\r\n");
        connection.ok();
        assertEquals(7, connection.number());
        assertThrows(IllegalStateException.class, connection::ok);
    }

    /** Commands are collected: an answer that has arrived already is taken without sending the next commands. */
    @Test
    void commandsLeaveTogetherWhenAnAnswerIsMissing() throws IOException {
        say(":1\r\n:2\r\n");
        assertEquals(1, connection.number());
        connection.command(1).word("A");
        assertEquals(2, connection.number());
        connection.command(1).word("B");
        other.configureBlocking(false);
        assertEquals(0, other.read(ByteBuffer.allocate(1)), "nothing has left yet");
        other.configureBlocking(true);
        say(":3\r\n");
        assertEquals(3, connection.number());
        assertEquals("*1\r\n$1\r\nA\r\n*1\r\n$1\r\nB\r\n", heard(22));
    }

    @Test
    void whatRedisRefusesIsSaidInItsWords() throws IOException {
        say("-ERR no such thing\r\n:5\r\n");
        var refused = assertThrows(IllegalStateException.class, connection::number);
        assertEquals("Redis refused: ERR no such thing", refused.getMessage());
        assertEquals(5, connection.number());
    }

    @Test
    void aConnectionThatEndsIsSaid() throws IOException {
        other.close();
        var lost = assertThrows(UncheckedIOException.class, connection::number);
        assertEquals("Redis cannot be reached any more: it closed the connection", lost.getMessage());
    }
}
