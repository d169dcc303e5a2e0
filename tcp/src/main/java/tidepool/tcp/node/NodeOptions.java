package tidepool.tcp.node;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import tidepool.tcp.journal.Durability;
import tidepool.tcp.journal.JournalOptions;
import tidepool.tcp.secure.Gate;
import tidepool.tcp.wire.Transports;

/**
 * What a memory node is started with.
 *
 * @param name what clients and logs call it
 * @param listen port 0 takes any that is free
 * @param memoryBytes the most memory that regions of all pools may take
 * @param dir where regions lie as files; null for memory that is gone with the process
 * @param handlers whether CALLs are answered
 * @param lease how long a session may be silent before it is suspected
 * @param grace how long a session may be without a connection before it is suspected
 * @param journal what a FLUSH outlasts; a journal needs a directory
 * @param identity which life of which node it is in the roster of its pool; null where pools have no roster
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
        Gate gate,
        Transports transports,
        JournalOptions journal,
        String identity) {

    /** Without a journal, and in no roster. */
    public NodeOptions(
            String name,
            InetSocketAddress listen,
            long memoryBytes,
            Path dir,
            boolean handlers,
            Duration lease,
            Duration grace,
            NodeLimits limits,
            Gate gate,
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
                gate,
                transports,
                JournalOptions.of(Durability.NONE),
                null);
    }

    /** On loopback, in memory, open to every process of this machine. */
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
                Gate.OPEN,
                Transports.PLAIN);
    }

    public NodeOptions withListen(InetSocketAddress value) {
        return new NodeOptions(
                name, value, memoryBytes, dir, handlers, lease, grace, limits, gate, transports, journal, identity);
    }

    public NodeOptions withDir(Path value) {
        return new NodeOptions(
                name, listen, memoryBytes, value, handlers, lease, grace, limits, gate, transports, journal, identity);
    }

    public NodeOptions withHandlers(boolean value) {
        return new NodeOptions(
                name, listen, memoryBytes, dir, value, lease, grace, limits, gate, transports, journal, identity);
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
                gate,
                transports,
                journal,
                identity);
    }

    public NodeOptions withLimits(NodeLimits value) {
        return new NodeOptions(
                name, listen, memoryBytes, dir, handlers, lease, grace, value, gate, transports, journal, identity);
    }

    public NodeOptions withSecurity(Gate newGate, Transports newTransports) {
        return new NodeOptions(
                name,
                listen,
                memoryBytes,
                dir,
                handlers,
                lease,
                grace,
                limits,
                newGate,
                newTransports,
                journal,
                identity);
    }

    public NodeOptions withJournal(JournalOptions value) {
        return new NodeOptions(
                name, listen, memoryBytes, dir, handlers, lease, grace, limits, gate, transports, value, identity);
    }

    boolean hasJournal() {
        return journal.durability() != Durability.NONE;
    }

    /** As a member of a pool that has a roster: under this identity, and no other. */
    public NodeOptions withIdentity(String value) {
        return new NodeOptions(
                name, listen, memoryBytes, dir, handlers, lease, grace, limits, gate, transports, journal, value);
    }
}
