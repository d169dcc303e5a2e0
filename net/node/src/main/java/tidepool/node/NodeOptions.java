package tidepool.node;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalOptions;
import tidepool.node.security.ClientAuthenticator;
import tidepool.wire.Transports;

/**
 * The options of a memory node.
 *
 * @param name the name of the node for clients and in logs
 * @param listen the address to bind; port 0 means any free port
 * @param memoryBytes limit of the memory of all pools
 * @param dir the directory of region files or of the journal; null for memory that ends with the process
 * @param handlers whether CALLs are answered
 * @param lease the time that a session may be silent before it is suspected
 * @param grace the time that a session may be without a connection before it is suspected
 * @param journal the failures that a FLUSH survives; a journal needs a directory
 * @param identity the identity of the node, for one life, in the roster of its pool; null if pools have no roster
 */
public record NodeOptions(
        String name,
        InetSocketAddress listen,
        long memoryBytes,
        Path dir,
        boolean handlers,
        Duration lease,
        Duration grace,
        NodeLimits limits,
        ClientAuthenticator authenticator,
        Transports transports,
        JournalOptions journal,
        String identity) {

    /** Makes options without a journal and without a roster. */
    public NodeOptions(
            String name,
            InetSocketAddress listen,
            long memoryBytes,
            Path dir,
            boolean handlers,
            Duration lease,
            Duration grace,
            NodeLimits limits,
            ClientAuthenticator authenticator,
            Transports transports) {
        this(
                name,
                listen,
                memoryBytes,
                dir,
                handlers,
                lease,
                grace,
                limits,
                authenticator,
                transports,
                JournalOptions.of(Durability.NONE),
                null);
    }

    /** Returns options for a node on loopback, in memory, open to every process of this machine. */
    public static NodeOptions onLoopback(String name, int port, long memoryBytes) {
        return new NodeOptions(
                name,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                memoryBytes,
                null,
                true,
                Duration.ofSeconds(2),
                Duration.ofMillis(10),
                NodeLimits.DEFAULT,
                ClientAuthenticator.OPEN,
                Transports.PLAIN);
    }

    public NodeOptions withListen(InetSocketAddress value) {
        return new NodeOptions(
                name,
                value,
                memoryBytes,
                dir,
                handlers,
                lease,
                grace,
                limits,
                authenticator,
                transports,
                journal,
                identity);
    }

    public NodeOptions withDir(Path value) {
        return new NodeOptions(
                name,
                listen,
                memoryBytes,
                value,
                handlers,
                lease,
                grace,
                limits,
                authenticator,
                transports,
                journal,
                identity);
    }

    public NodeOptions withHandlers(boolean value) {
        return new NodeOptions(
                name,
                listen,
                memoryBytes,
                dir,
                value,
                lease,
                grace,
                limits,
                authenticator,
                transports,
                journal,
                identity);
    }

    public NodeOptions withLease(Duration newLease, Duration newGrace) {
        return new NodeOptions(
                name,
                listen,
                memoryBytes,
                dir,
                handlers,
                newLease,
                newGrace,
                limits,
                authenticator,
                transports,
                journal,
                identity);
    }

    public NodeOptions withLimits(NodeLimits value) {
        return new NodeOptions(
                name,
                listen,
                memoryBytes,
                dir,
                handlers,
                lease,
                grace,
                value,
                authenticator,
                transports,
                journal,
                identity);
    }

    public NodeOptions withSecurity(ClientAuthenticator newAuthenticator, Transports newTransports) {
        return new NodeOptions(
                name,
                listen,
                memoryBytes,
                dir,
                handlers,
                lease,
                grace,
                limits,
                newAuthenticator,
                newTransports,
                journal,
                identity);
    }

    public NodeOptions withJournal(JournalOptions value) {
        return new NodeOptions(
                name,
                listen,
                memoryBytes,
                dir,
                handlers,
                lease,
                grace,
                limits,
                authenticator,
                transports,
                value,
                identity);
    }

    boolean hasJournal() {
        return journal.durability() != Durability.NONE;
    }

    /** Returns options for a member of a pool with a roster, under this identity only. */
    public NodeOptions withIdentity(String value) {
        return new NodeOptions(
                name,
                listen,
                memoryBytes,
                dir,
                handlers,
                lease,
                grace,
                limits,
                authenticator,
                transports,
                journal,
                value);
    }
}
