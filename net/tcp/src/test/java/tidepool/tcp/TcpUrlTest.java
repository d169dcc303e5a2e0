package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidepool.fabric.FabricUrl;

/** Parsing of {@code tcp:} URLs. */
class TcpUrlTest {
    @Test
    void nodesPoolAndTimes() {
        TcpUrl url =
                TcpUrl.of(FabricUrl.parse("tcp://a:1,b:65535,[::1]:7/bank?timeout=2s&connect=500ms&connections=3"));

        assertEquals(List.of("a", "b", "[::1]"), url.hosts());
        assertEquals(List.of(1, 65_535, 7), url.ports());
        assertEquals("bank", url.pool());
        assertEquals(Duration.ofSeconds(2), url.timeout());
        assertEquals(Duration.ofMillis(500), url.connect());
        assertEquals(3, url.connections());
    }

    @Test
    void whatIsNotSaidIsSensible() {
        TcpUrl url = TcpUrl.of(FabricUrl.parse("tcp://localhost"));

        assertEquals("localhost:7400", url.address(0));
        assertEquals("main", url.pool());
        assertEquals(1, url.connections());
    }

    @ParameterizedTest
    @CsvSource({
        "tcp:,                 addresses of memory nodes",
        "tcp://,               addresses of memory nodes",
        "'tcp://a:1,,b:2',     not the address of a memory node: ''",
        "tcp://a:0,            a port is 1 to 65535: 'a:0'",
        "tcp://a:65536,        a port is 1 to 65535: 'a:65536'",
        "tcp://a:x,            a port is 1 to 65535: 'a:x'",
        "tcp://a:1/,           a pool's name",
        "tcp://a:1/b/c,        a pool's name",
        "tcp://a:1/../etc,     a pool's name",
        "tcp://a:1?token=abc,  unknown parameter 'token'",
        "tcp://a:1?timeout=5,  timeout takes a time",
    })
    void badOnesSayWhatIsWrong(String text, String sentence) {
        var e = assertThrows(IllegalArgumentException.class, () -> TcpUrl.of(FabricUrl.parse(text)));

        assertTrue(e.getMessage().contains(sentence), e.getMessage());
    }
}
