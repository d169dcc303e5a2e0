package tidepool.tcp.node;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.SecureRandom;
import java.util.List;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.memory.MemoryNodeException;
import tidepool.tcp.secure.Gate;
import tidepool.tcp.secure.Proof;
import tidepool.tcp.secure.Rights;
import tidepool.tcp.secure.Token;
import tidepool.tcp.wire.Frame;
import tidepool.tcp.wire.Outlasts;
import tidepool.tcp.wire.RefusedCode;

/**
 * How a stranger becomes known: HELLO, CHALLENGE, PROOF, WELCOME. A name that nobody has goes through the same motions and
 * fails at the end.
 */
final class Handshake {
    /** What is known between HELLO and PROOF. */
    record Talking(Hello hello, Proof.Talk talk, List<Token> tokens) {}

    private static final byte[] NO_PROOF = new byte[Frame.PROOF_BYTES];

    private final NodeOptions options;
    private final HostedPools pools;
    private final SecureRandom random = new SecureRandom();

    /** Where the node has registered; empty if it is in no roster, or has not registered yet. */
    private volatile String advertised = "";

    Handshake(NodeOptions options, HostedPools pools) {
        this.options = options;
        this.pools = pools;
    }

    /** From any thread: clients that have the node from a roster find it at this address, and at no other. */
    void advertise(String address) {
        advertised = address;
    }

    /** Reads a HELLO and challenges; throws {@link Refused} if it goes no further. */
    void hello(Connection from, MemorySegment frame, long at, int bytes) throws Refused {
        Hello hello = Hello.read(frame, at, bytes);
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
        int method = options.gate().method();
        List<Token> tokens = method == Gate.TOKEN ? options.gate().tokens(hello.client()) : List.of();
        from.talking = new Talking(hello, talk, tokens);
        challenge(from, method, nonce, tokens, talk);
        from.phase = Connection.Phase.PROOF;
    }

    /** While a token is being changed there is a second proof behind the name. */
    private void challenge(Connection to, int method, byte[] nonce, List<Token> tokens, Proof.Talk talk) {
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

    /** Judges a PROOF; afterwards the connection is open, and its pool is there. */
    void proof(Connection from, MemorySegment frame, long at, int bytes, long nowNanos) throws Refused {
        if (bytes != Frame.HEADER + Frame.PROOF_BYTES) throw Refused.malformed("a PROOF of another length");
        byte[] proof = frame.asSlice(at + Frame.HEADER, Frame.PROOF_BYTES).toArray(ValueLayout.JAVA_BYTE);
        Talking talking = from.talking;
        switch (options.gate().method()) {
            case Gate.TOKEN -> from.token = tokenOf(talking, proof);
            case Gate.CERTIFICATE -> {
                if (!talking.hello.client().equals(from.transport.peerName())) throw wrong();
            }
            default -> {
                // Everybody may come in: the node listens on loopback alone.
            }
        }
        if (!options.gate().isGood(talking.hello.client(), from.token)) throw wrong();
        Rights rights = options.gate().rights(talking.hello.client(), talking.hello.pool());
        if (talking.hello.pool().isEmpty()) {
            if (talking.hello.epoch() > 0) requireIdentity(talking.hello);
            if (!rights.admin()) throw new Refused(RefusedCode.RIGHT, "only an admin may ask the node itself");
            from.welcome(rights, null);
        } else {
            if (!rights.read() && !rights.write())
                throw new Refused(RefusedCode.RIGHT, "this client has no right to the pool " + talking.hello.pool());
            HostedPool pool = pool(talking.hello, rights, nowNanos);
            from.epoch = talking.hello.epoch();
            from.welcome(rights, pool);
        }
    }

    /** All of them are tried, so that the time does not tell which one it was. */
    private static Token tokenOf(Talking talking, byte[] proof) throws Refused {
        Token found = null;
        for (Token token : talking.tokens) if (Proof.matches(Proof.ofClient(token, talking.talk), proof)) found = token;
        if (found == null) throw wrong();
        return found;
    }

    private static Refused wrong() {
        return new Refused(RefusedCode.CREDENTIALS, "wrong name, token or certificate");
    }

    private HostedPool pool(Hello hello, Rights rights, long nowNanos) throws Refused {
        String name = hello.pool();
        if (!HostedPools.isName(name))
            throw new Refused(
                    RefusedCode.POOL, "a pool's name is made of letters, digits, '.', '_' and '-', and not: " + name);
        if (hello.nodes() < 1 || hello.nodes() > HostedPools.MOST_NODES || hello.number() >= hello.nodes())
            throw new Refused(
                    RefusedCode.POOL,
                    "there is no node " + hello.number() + " in a pool of " + hello.nodes() + " nodes");
        requireIdentity(hello);
        HostedPool pool = pools.get(name);
        if (pool == null) return placed(create(hello, rights, nowNanos), hello);
        if (hello.epoch() > 0) requireEpoch(pool, hello, rights);
        HostedPool.Place place = pool.place();
        if (place.number() != hello.number() || place.nodes() != hello.nodes())
            throw new Refused(
                    RefusedCode.POOL,
                    "this is node " + place.number() + " of the " + place.nodes() + " nodes of the pool " + name
                            + ", not node " + hello.number() + " of " + hello.nodes()
                            + "; name the nodes in the order in which the pool was created");
        if (!hello.isAnyPool() && !place.id().equals(hello.id()))
            throw new Refused(
                    RefusedCode.POOL, "the pool " + name + " of this node is not the pool " + name + " of node 0");
        return pool;
    }

    /** Before anything is made: whoever means another life of this node means what is not here. */
    private void requireIdentity(Hello hello) throws Refused {
        String mine = options.identity();
        if (mine == null && hello.epoch() == 0 || mine != null && mine.equals(hello.identity())) return;
        if (mine == null)
            throw new Refused(
                    RefusedCode.IDENTITY,
                    "the roster means " + hello.identity() + ", and this node was not started to be in one");
        if (hello.epoch() == 0)
            throw new Refused(
                    RefusedCode.IDENTITY,
                    "this node is in the roster of its pool: open the pool where that is kept, by zk://");
        throw new Refused(
                RefusedCode.IDENTITY,
                "this is " + mine + ", not " + hello.identity() + ": what that one held is not here");
    }

    /** A newer roster moves the node on; who comes with an older one is too late. */
    private static void requireEpoch(HostedPool pool, Hello hello, Rights rights) throws Refused {
        long known = Math.max(pool.node().epoch(), pool.placedEpoch());
        if (hello.epoch() < known)
            throw new Refused(
                    RefusedCode.ROSTER,
                    "the pool " + pool.name() + " is in epoch " + known + ", and the client knows the roster of epoch "
                            + hello.epoch() + ": read it again");
        if (hello.epoch() > known && !rights.admin())
            throw new Refused(
                    RefusedCode.ROSTER,
                    "the pool " + pool.name() + " is in epoch " + known + " here, and only an admin moves it to "
                            + hello.epoch());
        if (hello.epoch() > pool.placedEpoch()) placed(pool, hello);
    }

    private static HostedPool placed(HostedPool pool, Hello hello) {
        if (hello.epoch() > 0) pool.place(hello.number(), hello.nodes(), hello.epoch());
        return pool;
    }

    private HostedPool create(Hello hello, Rights rights, long nowNanos) throws Refused {
        if (!rights.admin())
            throw new Refused(
                    RefusedCode.POOL, "there is no pool " + hello.pool() + " here, and only an admin creates one");
        // Ids come from node 0. Who shows one to node 0 has seen the pool there, and it is gone.
        if (hello.number() == 0 && !hello.isAnyPool())
            throw new Refused(RefusedCode.POOL, "the pool " + hello.pool() + " was here and is not any more");
        try {
            return pools.create(hello.pool(), hello.id(), hello.number(), hello.nodes(), nowNanos);
        } catch (MemoryNodeException | FabricException e) {
            throw new Refused(RefusedCode.LIMIT, "the pool cannot be created: " + e.getMessage());
        }
    }

    /** The words behind a WELCOME. */
    long[] welcome(Connection to) {
        Id128 id = to.pool == null ? new Id128(0, 0) : to.pool.place().id();
        return new long[] {
            id.high(),
            id.low(),
            to.pool == null ? 0 : to.pool.node().epoch(),
            options.limits().frameBytes(),
            options.limits().outstandingRounds(),
            options.lease().toNanos(),
            to.rights.bits(),
            outlasts().ordinal()
        };
    }

    /** What a FLUSH outlasts; see {@code docs/wire.md}. */
    private Outlasts outlasts() {
        if (pools.journal() != null && pools.journal().lines() != null) return Outlasts.POWER_IN_ANY_ORDER;
        return switch (options.journal().durability()) {
            case NONE -> Outlasts.NOTHING;
            case FLUSH -> Outlasts.THE_NODE;
            case STRICT -> Outlasts.POWER;
        };
    }
}
