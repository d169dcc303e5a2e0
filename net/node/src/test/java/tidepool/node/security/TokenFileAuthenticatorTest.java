package tidepool.node.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.ManualClock;
import tidepool.testkit.PrivateFiles;
import tidepool.wire.tls.CredentialsException;
import tidepool.wire.tls.Rights;
import tidepool.wire.tls.Token;
import tidepool.wire.tls.Tokens;

/**
 * Clients in the file are admitted with the rights that it gives, also after it has changed. Error messages never
 * contain a token.
 */
class TokenFileAuthenticatorTest {
    private static final String FIRST = Tokens.random();
    private static final String SECOND = Tokens.random();

    private final ManualClock clock = new ManualClock();

    @TempDir
    private Path folder;

    private TokenFileAuthenticator open(String text) {
        return TokenFileAuthenticator.open(write(text), clock);
    }

    private Path write(String text) {
        return PrivateFiles.write(folder.resolve("credentials"), text);
    }

    private void afterASecond() {
        clock.advance(TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void rightsAreThoseOfTheLine() {
        TokenFileAuthenticator authenticator =
                open("# who may come in\n\nalice " + FIRST + "  bank:read,call *:read # and why\r\n");

        assertEquals(new Rights(true, false, true, false), authenticator.rights("alice", "bank"));
        assertEquals(new Rights(true, false, false, false), authenticator.rights("alice", "other"));
        assertEquals(new Rights(true, false, false, false), authenticator.rights("alice", ""));
        assertEquals(Rights.NONE, authenticator.rights("bob", "bank"));
        assertTrue(authenticator.tokens("alice").getFirst().isSame(Token.of(FIRST)));
    }

    /**
     * Write includes read: some verbs read and write at once, and a client that may write could find out the contents
     * anyway.
     */
    @Test
    void whoMayWriteMayRead() {
        TokenFileAuthenticator authenticator = open("alice " + FIRST + " bank:write");

        assertEquals(new Rights(true, true, false, false), authenticator.rights("alice", "bank"));
    }

    /** An entry for a pool overrides the entry for any pool, so that one pool can be excluded from general rights. */
    @Test
    void aNamedPoolIsNotAnyPool() {
        TokenFileAuthenticator authenticator = open("alice " + FIRST + " bank:read *:all");

        assertEquals(new Rights(true, false, false, false), authenticator.rights("alice", "bank"));
        assertEquals(Rights.ALL, authenticator.rights("alice", "other"));
    }

    /**
     * Unauthenticated clients must not learn which names are known. So every name has a token, and an unknown name has
     * one that no client has.
     */
    @Test
    void anUnknownClientHasATokenThatNoClientHas() {
        TokenFileAuthenticator authenticator = open("alice " + FIRST + " bank:read\n");

        List<Token> tokens = authenticator.tokens("mallory");

        assertEquals(tokens.size(), authenticator.tokens("alice").size());
        for (Token token : tokens) {
            assertFalse(authenticator.isGood("mallory", token));
            assertFalse(authenticator.isGood("alice", token));
        }
    }

    /** Rotation: add the new token, change the clients, remove the old token. */
    @Test
    void twoTokensAreGoodWhileTheyAreChanged() {
        TokenFileAuthenticator authenticator = open("alice " + FIRST + " bank:all");
        long before = authenticator.generation();
        write("alice " + FIRST + " bank:all\nalice " + SECOND + " bank:all\n");
        afterASecond();
        assertTrue(authenticator.isGood("alice", Token.of(FIRST)));
        assertTrue(authenticator.isGood("alice", Token.of(SECOND)));

        write("alice " + SECOND + " bank:all\n");
        afterASecond();

        assertFalse(authenticator.isGood("alice", Token.of(FIRST)));
        assertTrue(authenticator.isGood("alice", Token.of(SECOND)));
        assertTrue(authenticator.generation() > before);
    }

    @Test
    void aClientThatIsTakenAwayIsNoLongerGood() {
        TokenFileAuthenticator authenticator = open("alice " + FIRST + " bank:all\nbob " + SECOND + " bank:all");
        write("bob " + SECOND + " bank:all");
        afterASecond();

        assertFalse(authenticator.isGood("alice", Token.of(FIRST)));
        assertEquals(Rights.NONE, authenticator.rights("alice", "bank"));
        assertTrue(authenticator.isGood("bob", Token.of(SECOND)));
    }

    /** A mistake of the operator must neither lock all clients out nor admit unknown ones. */
    @Test
    void aBrokenVersionLeavesTheOldOneInForce() throws Exception {
        TokenFileAuthenticator authenticator = open("alice " + FIRST + " bank:all");
        long before = authenticator.generation();

        write("alice " + FIRST + " bank:al");
        afterASecond();
        assertTrue(authenticator.isGood("alice", Token.of(FIRST)));

        write("alice " + SECOND + " bank:all");
        Files.setPosixFilePermissions(folder.resolve("credentials"), PosixFilePermissions.fromString("rw-r--r--"));
        afterASecond();
        assertFalse(authenticator.isGood("alice", Token.of(SECOND)));

        Files.delete(folder.resolve("credentials"));
        afterASecond();
        assertTrue(authenticator.isGood("alice", Token.of(FIRST)));
        assertEquals(before, authenticator.generation());
    }

    /** A client that connects a thousand times a second must not make the node read the file as often. */
    @Test
    void theFileIsLookedAtOnceASecond() {
        TokenFileAuthenticator authenticator = open("alice " + FIRST + " bank:all");
        write("alice " + SECOND + " bank:all");

        clock.advance(TimeUnit.SECONDS.toNanos(1) - 1);
        assertTrue(authenticator.isGood("alice", Token.of(FIRST)));
        clock.advance(1);
        assertTrue(authenticator.isGood("alice", Token.of(SECOND)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rwx--x---"})
    void aFileThatOthersMayOpenIsRefused(String mode) {
        Path file = PrivateFiles.write(folder.resolve("loose"), "alice " + FIRST + " bank:all", mode);

        String said = assertThrows(CredentialsException.class, () -> TokenFileAuthenticator.open(file))
                .getMessage();

        assertEquals(
                "the credentials file " + file + " can be opened by others than its owner; say: chmod 600 " + file,
                said);
    }

    /** TOKEN stands for a real token. One may be misplaced anywhere in a line and must not be repeated. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "alice",
                "alice TOKEN",
                "TOKEN",
                "TOKEN bank:all",
                "alice short bank:all",
                "alice 0123456789abcdef01234 bank:all",
                "alice aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bank:all",
                "alice TOKEN! bank:all",
                "alice TOKEN TOKEN",
                "alice bank:all TOKEN",
                "alice TOKEN bank:",
                "alice TOKEN :all",
                "alice TOKEN bank:TOKEN",
                "alice TOKEN bank:all,",
                "alice TOKEN bank:all bank:read",
                "alice TOKEN /etc:all",
                "a:b TOKEN bank:all",
                "alice\u0000 TOKEN bank:all"
            })
    void aLineThatIsWrongIsNamedWithoutItsToken(String line) {
        Path file = write("bob " + SECOND + " *:all\n" + line.replace("TOKEN", FIRST) + "\n");

        CredentialsException wrong = assertThrows(CredentialsException.class, () -> TokenFileAuthenticator.open(file));

        assertTrue(wrong.getMessage().startsWith(file + ":2: "), wrong.getMessage());
        assertFalse(wrong.getMessage().contains(FIRST), wrong.getMessage());
        assertEquals(null, wrong.getCause());
    }

    @Test
    void moreThanTwoTokensTheSameTwiceAndOtherRightsAreRefused() {
        String line = "alice " + FIRST + " bank:all\n";
        String other = "alice " + SECOND + " bank:all\n";

        assertThrows(CredentialsException.class, () -> open(line + line));
        assertThrows(CredentialsException.class, () -> open(line + other + "alice " + Tokens.random() + " bank:all"));
        assertThrows(CredentialsException.class, () -> open(line + other.replace("all", "read")));
    }

    /**
     * Each authenticator reads only its own kind of line. One file serves both while a pool moves from one to the
     * other.
     */
    @Test
    void certificatesAndTokensAreKeptApart() {
        Path file = write("alice " + FIRST + " bank:all\nbob certificate bank:read\n");
        ClientAuthenticator tokens = TokenFileAuthenticator.open(file);
        ClientAuthenticator certificates = CertificateAuthenticator.open(file);

        assertEquals(Rights.NONE, tokens.rights("bob", "bank"));
        assertEquals(Rights.NONE, certificates.rights("alice", "bank"));
        assertEquals(new Rights(true, false, false, false), certificates.rights("bob", "bank"));
        assertTrue(certificates.isGood("bob", null));
        assertFalse(certificates.isGood("alice", null));
        assertFalse(tokens.isGood("bob", null));
    }

    @Test
    void aRandomTokenHas256BitsAndIsGoodInTheFile() {
        assertEquals(43, Tokens.random().length());
        assertNotEquals(Tokens.random(), Tokens.random());
        for (int i = 0; i < 1000; i++) open("alice " + Tokens.random() + " *:all");
    }
}
