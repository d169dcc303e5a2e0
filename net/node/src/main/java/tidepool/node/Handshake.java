package tidepool.node;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.SecureRandom;
import java.util.List;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.memory.MemoryNodeException;
import tidepool.wire.AuthMethod;
import tidepool.wire.FlushGuarantee;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;
import tidepool.wire.tls.Proof;
import tidepool.wire.tls.Rights;
import tidepool.wire.tls.Token;

/**
 * The authentication of a new connection: HELLO, CHALLENGE, PROOF, WELCOME. An unknown client name takes all steps of a
 * known one and fails at the end. Otherwise an attacker could find out which names exist.
 */
final class Handshake {
    /** The state of a handshake between HELLO and PROOF. */
    record Talking(HelloMessage hello, Proof.Talk talk, List<Token> tokens) {}

    private static final byte[] NO_PROOF = new byte[Frame.PROOF_BYTES];

    private final NodeOptions options;
    private final HostedPools pools;
    private final SecureRandom random = new SecureRandom();

    /** The address that the node has registered; empty if it is in no roster, or has not registered yet. */
    private volatile String advertised = "";

    Handshake(NodeOptions options, HostedPools pools) {
        this.options = options;
        this.pools = pools;
    }

    /** Sets the only address at which clients find the node in a roster. Any thread may call it. */
    void advertise(String address) {
        advertised = address;
    }

    /** Reads a HELLO and sends a CHALLENGE. Throws {@link ConnectionRefusedException} if the HELLO is refused. */
    void hello(ClientConnection from, MemorySegment frame, long at, int bytes) throws ConnectionRefusedException {
        HelloMessage hello = HelloMessage.read(frame, at, bytes);
        from.client = hello.client();
        byte[] nonce = new byte[Frame.NONCE_BYTES];
        random.nextBytes(nonce);
        Proof.Talk talk = new Proof.Talk(
                hello.nonce(),
                nonce,
                hello.client(),
                options.name(),
                hello.pool(),
                hello.number(),
                hello.epoch() > 0 ? advertised : "");
        int method = options.authenticator().method();
        List<Token> tokens =
                method == AuthMethod.TOKEN ? options.authenticator().tokens(hello.client()) : List.of();
        from.talking = new Talking(hello, talk, tokens);
        challenge(from, method, nonce, tokens, talk);
        from.phase = ClientConnection.Phase.PROOF;
    }

    /** Sends a CHALLENGE. With two tokens a second proof follows the name: a client's token may be being changed. */
    private void challenge(ClientConnection to, int method, byte[] nonce, List<Token> tokens, Proof.Talk talk) {
        byte[] name = options.name().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        int named = 8 + Frame.NONCE_BYTES + Frame.PROOF_BYTES + 2 + name.length;
        int more = tokens.size() > 1 ? 1 : 0;
        int bytes = (int) (Frame.HEADER + Frame.padded(named) + (long) more * Frame.PROOF_BYTES);
        to.out().reserve(bytes);
        MemorySegment out = to.out().memory();
        long at = to.out().at();
        out.asSlice(at, bytes).fill((byte) 0);
        Words.plain(out, at, Frame.head(bytes, Frame.CHALLENGE, 0, more));
        long body = at + Frame.HEADER;
        out.set(Words.U32, body, Frame.VERSION);
        out.set(Words.U32, body + 4, method);
        copy(nonce, out, body + 8);
        copy(tokens.isEmpty() ? NO_PROOF : Proof.ofNode(tokens.get(0), talk), out, body + 8 + Frame.NONCE_BYTES);
        long nameAt = body + 8 + Frame.NONCE_BYTES + Frame.PROOF_BYTES;
        out.set(ValueLayout.JAVA_BYTE, nameAt, (byte) name.length);
        copy(name, out, nameAt + 2);
        if (more > 0) copy(Proof.ofNode(tokens.get(1), talk), out, body + Frame.padded(named));
        to.out().appended(bytes);
    }

    private static void copy(byte[] from, MemorySegment to, long at) {
        MemorySegment.copy(from, 0, to, ValueLayout.JAVA_BYTE, at, from.length);
    }

    /** Verifies a PROOF. Afterwards the connection is open and its pool exists. */
    void proof(ClientConnection from, MemorySegment frame, long at, int bytes, long nowNanos)
            throws ConnectionRefusedException {
        if (bytes != Frame.HEADER + Frame.PROOF_BYTES)
            throw ConnectionRefusedException.malformed("a PROOF of another length");
        byte[] proof = frame.asSlice(at + Frame.HEADER, Frame.PROOF_BYTES).toArray(ValueLayout.JAVA_BYTE);
        Talking talking = from.talking;
        switch (options.authenticator().method()) {
            case AuthMethod.TOKEN -> from.token = tokenOf(talking, proof);
            case AuthMethod.CERTIFICATE -> {
                if (!talking.hello.client().equals(from.transport.peerName())) throw wrong();
            }
            default -> {
                // All clients are admitted: the node listens only on loopback.
            }
        }
        if (!options.authenticator().isGood(talking.hello.client(), from.token)) throw wrong();
        Rights rights = options.authenticator().rights(talking.hello.client(), talking.hello.pool());
        if (talking.hello.pool().isEmpty()) {
            if (talking.hello.epoch() > 0) requireIdentity(talking.hello);
            if (!rights.admin())
                throw new ConnectionRefusedException(RefusedCode.RIGHT, "only an admin may ask the node itself");
            from.welcome(rights, null);
        } else {
            if (!rights.read() && !rights.write())
                throw new ConnectionRefusedException(
                        RefusedCode.RIGHT, "this client has no right to the pool " + talking.hello.pool());
            HostedPool pool = pool(talking.hello, rights, nowNanos);
            from.epoch = talking.hello.epoch();
            from.welcome(rights, pool);
        }
    }

    /** Returns the token that matches. All tokens are tried, so that the time does not reveal which one matched. */
    private static Token tokenOf(Talking talking, byte[] proof) throws ConnectionRefusedException {
        Token found = null;
        for (Token token : talking.tokens) if (Proof.matches(Proof.ofClient(token, talking.talk), proof)) found = token;
        if (found == null) throw wrong();
        return found;
    }

    private static ConnectionRefusedException wrong() {
        return new ConnectionRefusedException(RefusedCode.CREDENTIALS, "wrong name, token or certificate");
    }

    private HostedPool pool(HelloMessage hello, Rights rights, long nowNanos) throws ConnectionRefusedException {
        String name = hello.pool();
        if (!HostedPools.isName(name))
            throw new ConnectionRefusedException(
                    RefusedCode.POOL, "a pool's name is made of letters, digits, '.', '_' and '-', and not: " + name);
        if (hello.nodes() < 1 || hello.nodes() > HostedPools.MAX_NODES || hello.number() >= hello.nodes())
            throw new ConnectionRefusedException(
                    RefusedCode.POOL,
                    "there is no node " + hello.number() + " in a pool of " + hello.nodes() + " nodes");
        requireIdentity(hello);
        HostedPool pool = pools.get(name);
        if (pool == null) return placed(create(hello, rights, nowNanos), hello);
        if (hello.epoch() > 0) requireEpoch(pool, hello, rights);
        HostedPool.Place place = pool.place();
        if (place.number() != hello.number() || place.nodes() != hello.nodes())
            throw new ConnectionRefusedException(
                    RefusedCode.POOL,
                    "this is node " + place.number() + " of the " + place.nodes() + " nodes of the pool " + name
                            + ", not node " + hello.number() + " of " + hello.nodes()
                            + "; name the nodes in the order in which the pool was created");
        if (!hello.isAnyPool() && !place.id().equals(hello.id()))
            throw new ConnectionRefusedException(
                    RefusedCode.POOL, "the pool " + name + " of this node is not the pool " + name + " of node 0");
        return pool;
    }

    /**
     * Refuses a client that expects a node of another identity, before a pool is created: the data that it expects is
     * not here.
     */
    private void requireIdentity(HelloMessage hello) throws ConnectionRefusedException {
        String mine = options.identity();
        if (mine == null && hello.epoch() == 0 || mine != null && mine.equals(hello.identity())) return;
        if (mine == null)
            throw new ConnectionRefusedException(
                    RefusedCode.IDENTITY,
                    "the roster means " + hello.identity() + ", and this node was not started to be in one");
        if (hello.epoch() == 0)
            throw new ConnectionRefusedException(
                    RefusedCode.IDENTITY,
                    "this node is in the roster of its pool: open the pool where that is kept, by zk://");
        throw new ConnectionRefusedException(
                RefusedCode.IDENTITY,
                "this is " + mine + ", not " + hello.identity() + ": what that one held is not here");
    }

    /** Moves the node to a newer roster. Refuses a client with an older one. */
    private static void requireEpoch(HostedPool pool, HelloMessage hello, Rights rights)
            throws ConnectionRefusedException {
        long known = Math.max(pool.node().epoch(), pool.placedEpoch());
        if (hello.epoch() < known)
            throw new ConnectionRefusedException(
                    RefusedCode.ROSTER,
                    "the pool " + pool.name() + " is in epoch " + known + ", and the client knows the roster of epoch "
                            + hello.epoch() + ": read it again");
        if (hello.epoch() > known && !rights.admin())
            throw new ConnectionRefusedException(
                    RefusedCode.ROSTER,
                    "the pool " + pool.name() + " is in epoch " + known + " here, and only an admin moves it to "
                            + hello.epoch());
        if (hello.epoch() > pool.placedEpoch()) placed(pool, hello);
    }

    private static HostedPool placed(HostedPool pool, HelloMessage hello) {
        if (hello.epoch() > 0) pool.place(hello.number(), hello.nodes(), hello.epoch());
        return pool;
    }

    private HostedPool create(HelloMessage hello, Rights rights, long nowNanos) throws ConnectionRefusedException {
        if (!rights.admin())
            throw new ConnectionRefusedException(
                    RefusedCode.POOL, "there is no pool " + hello.pool() + " here, and only an admin creates one");
        // Node 0 makes the ids. A client that shows an id to node 0 has seen the pool here, and the pool is gone.
        if (hello.number() == 0 && !hello.isAnyPool())
            throw new ConnectionRefusedException(
                    RefusedCode.POOL, "the pool " + hello.pool() + " was here and is not any more");
        try {
            return pools.create(hello.pool(), hello.id(), hello.number(), hello.nodes(), nowNanos);
        } catch (MemoryNodeException | FabricException e) {
            throw new ConnectionRefusedException(RefusedCode.LIMIT, "the pool cannot be created: " + e.getMessage());
        }
    }

    /** Returns the words of a WELCOME. */
    long[] welcome(ClientConnection to) {
        Id128 id = to.pool == null ? new Id128(0, 0) : to.pool.place().id();
        return new long[] {
            id.high(),
            id.low(),
            to.pool == null ? 0 : to.pool.node().epoch(),
            options.limits().frameBytes(),
            options.limits().outstandingRounds(),
            options.lease().toNanos(),
            to.rights.bits(),
            guarantee().ordinal()
        };
    }

    /** Returns the failures that a FLUSH survives; see {@code docs/internals/wire.md}. */
    private FlushGuarantee guarantee() {
        if (pools.journal() != null && pools.journal().lines() != null) return FlushGuarantee.POWER_IN_ANY_ORDER;
        return switch (options.journal().durability()) {
            case NONE -> FlushGuarantee.NOTHING;
            case FLUSH -> FlushGuarantee.THE_NODE;
            case STRICT -> FlushGuarantee.POWER;
        };
    }
}
