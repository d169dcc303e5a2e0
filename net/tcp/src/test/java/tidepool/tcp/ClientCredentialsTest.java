package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.fabric.FabricUrl;
import tidepool.testkit.PrivateFiles;
import tidepool.wire.Transports;
import tidepool.wire.tls.CredentialsException;
import tidepool.wire.tls.Token;
import tidepool.wire.tls.Tokens;

/** The credentials of a client come from files and the environment, never from the URL itself. */
class ClientCredentialsTest {
    private static final String SECRET = Tokens.random();

    @TempDir
    private Path folder;

    private static ClientCredentials of(String text) {
        return ClientCredentials.of(FabricUrl.parse(text), _ -> null);
    }

    @Test
    void aPoolWithoutAuthenticationNeedsNoCredentials() {
        ClientCredentials mine = of("tcp://localhost:7000/bank");

        assertEquals("anonymous", mine.name());
        assertNull(mine.token());
        assertSame(Transports.PLAIN, mine.transports());
    }

    @Test
    void theTokenComesFromAFile() {
        Path file = PrivateFiles.write(folder.resolve("token"), "# of the bank\n\n  " + SECRET + "\r\n");

        ClientCredentials mine = of("tcp://localhost:7000/bank?user=alice&tokenFile=" + file);

        assertEquals("alice", mine.name());
        assertTrue(mine.token().isSame(Token.of(SECRET)));
    }

    @Test
    void theTokenComesFromTheEnvironment() {
        ClientCredentials mine = ClientCredentials.of(
                FabricUrl.parse("tcp://localhost:7000/bank?user=alice"),
                name -> name.equals("TIDEPOOL_TOKEN") ? SECRET + "\n" : null);

        assertTrue(mine.token().isSame(Token.of(SECRET)));
    }

    /** A URL appears in process lists and error messages. The refusal must say that a secret in it is compromised. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp://localhost:7000/bank?user=alice&token=SECRET",
                "tcp://localhost:7000/bank?user=alice&Token=SECRET",
                "tcp://localhost:7000/bank?user=alice&password=SECRET",
                "tcp://alice:SECRET@localhost:7000/bank"
            })
    void aTokenInTheUrlIsRefusedWithoutRepeatingIt(String url) {
        CredentialsException wrong = assertThrows(CredentialsException.class, () -> of(url.replace("SECRET", SECRET)));

        assertFalse(wrong.getMessage().contains(SECRET), wrong.getMessage());
        assertTrue(wrong.getMessage().contains("tokenFile=PATH"), wrong.getMessage());
    }

    @Test
    void aTokenFileThatOthersMayReadIsRefused() {
        Path file = PrivateFiles.write(folder.resolve("token"), SECRET, "rw-r--r--");

        String said = assertThrows(
                        CredentialsException.class, () -> of("tcp://localhost/bank?user=alice&tokenFile=" + file))
                .getMessage();

        assertEquals(
                "the token file " + file + " can be opened by others than its owner; say: chmod 600 " + file, said);
    }

    @Test
    void aTokenFileWithoutOneTokenIsRefused() {
        Path none = PrivateFiles.write(folder.resolve("none"), "# nothing\n");
        Path two = PrivateFiles.write(folder.resolve("two"), SECRET + "\n" + SECRET + "\n");
        Path brief = PrivateFiles.write(folder.resolve("brief"), "tooshort\n");

        for (Path file : new Path[] {none, two, brief, folder.resolve("absent")}) {
            String said = assertThrows(
                            CredentialsException.class, () -> of("tcp://localhost/bank?user=alice&tokenFile=" + file))
                    .getMessage();
            assertTrue(said.startsWith("the token file " + file), said);
            assertFalse(said.contains(SECRET) || said.contains("tooshort"), said);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tls=on",
                "tls=maybe",
                "ca=/x",
                "cert=/x&key=/y",
                "tls=on&ca=/x&cert=/y",
                "tls=on&ca=/x&key=/y",
                "tls=on&ca=/does/not/exist",
                "user=a%20b",
                "user=a b"
            })
    void whatDoesNotFitTogetherIsRefused(String parameters) {
        assertThrows(IllegalArgumentException.class, () -> of("tcp://localhost:7000/bank?" + parameters));
    }

    @Test
    void aTokenWithoutANameIsRefused() {
        Path file = PrivateFiles.write(folder.resolve("token"), SECRET);

        assertThrows(CredentialsException.class, () -> of("tcp://localhost:7000/bank?tokenFile=" + file));
    }

    @Test
    void nothingPrintsTheToken() {
        Path file = PrivateFiles.write(folder.resolve("token"), SECRET);

        ClientCredentials mine = of("tcp://localhost:7000/bank?user=alice&tokenFile=" + file);

        assertEquals("alice with a token over plain TCP", mine.toString());
        assertEquals("token (hidden)", mine.token().toString());
    }
}
