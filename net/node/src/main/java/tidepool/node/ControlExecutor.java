package tidepool.node;

import java.util.List;
import java.util.function.Supplier;
import tidepool.base.Id128;
import tidepool.fabric.FabricException;
import tidepool.memory.Extent;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.NodeLayout;
import tidepool.memory.NodeRegion;
import tidepool.node.journal.ChangeSet;
import tidepool.node.journal.Life;
import tidepool.wire.ControlCode;
import tidepool.wire.ControlStatus;

/** The executor of control calls. Quick calls run in the loop, slow ones on the control thread. */
final class ControlExecutor {
    /** The operations of the loop that control calls need. */
    interface Loop {
        long nowNanos();

        /** Requests a check of timeouts at that time. */
        void watch(long nanos);

        /**
         * Runs the call on the control thread. Sends the answer in the connection's order, when the changes are kept.
         *
         * @param changes null if the node has no journal
         */
        void later(ClientConnection from, int sequence, Supplier<ControlReply> call, ChangeSet changes);

        /** Returns whether every change recorded in the journal so far is kept. */
        boolean isAllKept();

        /** Sends the answer when every change recorded in the journal so far is kept. */
        void whenKept(ClientConnection from, int sequence, ControlReply reply);

        /** Returns whether clients have names. Without names every client is an administrator. */
        boolean hasNames();

        /** Binds the connection to the session. */
        void bind(ClientConnection connection, HostedSession session);

        /** Marks the session revoked, cuts its connections and drops their frames that were not executed. */
        void revoke(HostedPool pool, int session);

        /** Called when a session was recovered. Clients are told that it is not suspected any more. */
        void forgotten(HostedPool pool, int session);

        String statusText();

        /** Called when a connection has sent too many wrong capabilities, which a correct client does not do. */
        void guessed(ClientConnection from);
    }

    /** Limit of links of one connection. */
    private static final int MAX_LINKS = 1 << 16;

    /**
     * Limit of wrong capabilities from one connection. A correct client may send some, because regions may be freed
     * while it opens them, but not more than this.
     */
    static final int MAX_WRONG_CAPABILITIES = 64;

    private final Loop loop;

    ControlExecutor(Loop loop) {
        this.loop = loop;
    }

    /** Returns the number of argument words of an operation; -1 if the operation does not exist. */
    static int arguments(long operation) {
        if (operation < ControlCode.NEXT_SESSION || operation > ControlCode.LIVES) return -1;
        return switch ((int) operation) {
            case ControlCode.ATTACH, ControlCode.ALLOCATE, ControlCode.FREE -> 4;
            case ControlCode.DETACH, ControlCode.OPEN_REGION -> 3;
            case ControlCode.FREE_REGION -> 2;
            case ControlCode.OPEN_LINK,
                    ControlCode.CLOSE_LINK,
                    ControlCode.CREATE_REGION,
                    ControlCode.REVOKE,
                    ControlCode.IS_REVOKED,
                    ControlCode.FORGET,
                    ControlCode.RAISE_EPOCH,
                    ControlCode.SET_DOUBT,
                    ControlCode.IS_DEAD -> 1;
            default -> 0;
        };
    }

    /** Executes a call. Returns the answer; null if it is sent later. */
    ControlReply execute(ClientConnection from, int sequence, int operation, long[] a) {
        if (operation == ControlCode.STATUS)
            return from.rights.admin() ? ControlReply.text(loop.statusText()) : right("see the status of a node");
        if (from.pool == null)
            return ControlReply.refused(ControlStatus.ARGUMENT, "this connection is to the node itself, not to a pool");
        if (isChange(operation) && !from.rights.write()) return right("change this pool");
        if (from.epoch > 0 && from.epoch < from.pool.node().epoch() && !isHarmless(operation))
            return ControlReply.refused(
                    ControlStatus.EPOCH,
                    "the pool is in epoch " + from.pool.node().epoch() + ", and this client in epoch " + from.epoch);
        try {
            if (isSlow(operation)) return slow(from, sequence, operation, a);
            ControlReply reply = quick(from, operation, a);
            if (!isKept(operation) || loop.isAllKept()) return reply;
            loop.whenKept(from, sequence, reply);
            return null;
        } catch (MemoryNodeException e) {
            return ControlReply.of(e);
        } catch (FabricException e) {
            return ControlReply.of(e);
        }
    }

    private static ControlReply right(String what) {
        return ControlReply.refused(ControlStatus.RIGHT, "this client has not the right to " + what);
    }

    /**
     * Returns whether a client of an older epoch may still make the call: calls for leaving, and for asking the epoch.
     */
    private static boolean isHarmless(int operation) {
        return switch (operation) {
            case ControlCode.DETACH, ControlCode.CLOSE_LINK, ControlCode.EPOCH -> true;
            default -> false;
        };
    }

    private static boolean isChange(int operation) {
        return switch (operation) {
            case ControlCode.CREATE_REGION,
                    ControlCode.FREE_REGION,
                    ControlCode.ALLOCATE,
                    ControlCode.FREE,
                    ControlCode.REVOKE,
                    ControlCode.FORGET,
                    ControlCode.SET_DOUBT,
                    ControlCode.RAISE_EPOCH -> true;
            default -> false;
        };
    }

    /** Returns whether a quick call changes state that must be in the journal before it is answered. */
    private static boolean isKept(int operation) {
        return switch (operation) {
            case ControlCode.NEXT_SESSION,
                    ControlCode.ATTACH,
                    ControlCode.DETACH,
                    ControlCode.FORGET,
                    ControlCode.SET_DOUBT,
                    ControlCode.RAISE_EPOCH -> true;
            default -> false;
        };
    }

    private static boolean isSlow(int operation) {
        return switch (operation) {
            case ControlCode.CREATE_REGION,
                    ControlCode.FREE_REGION,
                    ControlCode.ALLOCATE,
                    ControlCode.FREE,
                    ControlCode.REVOKE,
                    ControlCode.STATISTICS -> true;
            default -> false;
        };
    }

    private ControlReply slow(ClientConnection from, int sequence, int operation, long[] a) {
        HostedPool pool = from.pool;
        MemoryNode node = pool.node();
        ControlChanges calls = new ControlChanges(node, pool.journal());
        Supplier<ControlReply> call =
                switch (operation) {
                    case ControlCode.CREATE_REGION ->
                        () -> {
                            Id128 capability = calls.createRegion(a[0]);
                            return ControlReply.of(capability.high(), capability.low());
                        };
                    case ControlCode.FREE_REGION ->
                        () -> {
                            calls.freeRegion(new Id128(a[0], a[1]));
                            return ControlReply.done();
                        };
                    case ControlCode.ALLOCATE ->
                        () -> {
                            Extent extent = calls.allocate(new Id128(a[0], a[1]), a[2], number(a[3]));
                            return ControlReply.of(extent.offset(), extent.bytes());
                        };
                    case ControlCode.FREE ->
                        () -> {
                            calls.free(new Id128(a[0], a[1]), new Extent(a[2], a[3]));
                            return ControlReply.done();
                        };
                    // Answered after calls of the session that may be under way on the control thread.
                    case ControlCode.REVOKE -> ControlReply::done;
                    default -> () -> ControlReply.of(node.statistics().words());
                };
        if (operation == ControlCode.REVOKE) {
            // Restoring a backup uses up the session numbers that stand in it, and only administrators may do it.
            if (!pool.mayRevoke(number(a[0])) && !from.rights.admin()) return right("revoke a session to come");
            loop.revoke(pool, number(a[0]));
        }
        if (operation == ControlCode.ALLOCATE) pool.touch(number(a[3]));
        loop.later(from, sequence, call, calls.changes());
        return null;
    }

    private ControlReply quick(ClientConnection from, int operation, long[] a) {
        HostedPool pool = from.pool;
        MemoryNode node = pool.node();
        return switch (operation) {
            case ControlCode.NEXT_SESSION -> nextSession(from);
            case ControlCode.ATTACH -> attach(from, a);
            case ControlCode.DETACH -> detach(from, a);
            case ControlCode.OPEN_LINK -> openLink(from, a[0]);
            case ControlCode.CLOSE_LINK -> {
                if (isLink(a[0])) from.link((int) a[0], null);
                yield ControlReply.done();
            }
            case ControlCode.OPEN_REGION -> openRegion(from, a);
            case ControlCode.REGIONS -> regions(node.capabilities());
            case ControlCode.IS_REVOKED -> ControlReply.of(node.sessions().isRevoked(number(a[0])) ? 1 : 0);
            case ControlCode.SESSIONS -> sessions(node.sessions().all());
            case ControlCode.FORGET -> {
                pool.forget(number(a[0]));
                loop.forgotten(pool, number(a[0]));
                yield ControlReply.done();
            }
            case ControlCode.EPOCH -> ControlReply.of(node.epoch());
            case ControlCode.RAISE_EPOCH -> {
                pool.raiseEpoch(a[0]);
                yield ControlReply.done();
            }
            case ControlCode.IS_DEAD -> ControlReply.of(pool.isDead(number(a[0])) ? 1 : 0);
            case ControlCode.POWER_LOSSES -> ControlReply.of(powerLosses(pool));
            case ControlCode.DOUBT ->
                pool.journal() == null
                        ? ControlReply.of(0, 0, 0, 0)
                        : ControlReply.of(pool.journal().doubt().words());
            case ControlCode.SET_DOUBT -> {
                if (pool.journal() != null) pool.journal().doubt().set(a[0] != 0);
                yield ControlReply.done();
            }
            case ControlCode.LIVES -> lives(pool);
            default -> throw new IllegalStateException("operations are checked before: " + operation);
        };
    }

    private static long powerLosses(HostedPool pool) {
        return pool.journal() == null ? 0 : pool.journal().journal().powerLosses();
    }

    /** Answers with the low word of the node's id, then number and nonce of each known life, the present one last. */
    private static ControlReply lives(HostedPool pool) {
        if (pool.journal() == null) return ControlReply.of();
        List<Life> lives = pool.journal().journal().lives();
        long[] words = new long[1 + 2 * lives.size()];
        words[0] = pool.journal().journal().node().low();
        for (int i = 0; i < lives.size(); i++) {
            words[1 + 2 * i] = lives.get(i).number();
            words[2 + 2 * i] = lives.get(i).nonce();
        }
        return ControlReply.of(words);
    }

    private ControlReply nextSession(ClientConnection from) {
        HostedPool pool = from.pool;
        if (!from.rights.write()) return ControlReply.of(NodeLayout.READER_SESSION);
        if (pool.place().number() != 0)
            return ControlReply.refused(
                    ControlStatus.ARGUMENT,
                    "node 0 gives out session numbers, not node " + pool.place().number());
        int number = pool.nextSession(loop.nowNanos());
        loop.watch(loop.nowNanos());
        return ControlReply.of(number);
    }

    private ControlReply attach(ClientConnection from, long[] a) {
        int number = number(a[0]);
        if (from.session != null && from.session.number() != number)
            return ControlReply.refused(
                    ControlStatus.ARGUMENT, "this connection belongs to session " + from.session.number());
        if (!from.rights.write()) return attachReader(from, number);
        if (number == NodeLayout.CONTROL_SESSION || number == NodeLayout.READER_SESSION)
            return ControlReply.refused(ControlStatus.ARGUMENT, "nobody who writes has session " + number);
        if (from.pool.node().sessions().isOver(number))
            return ControlReply.refused(ControlStatus.EPOCH, "session " + number + " was revoked");
        if (!from.pool.isGiven(number))
            return ControlReply.refused(
                    ControlStatus.EPOCH, "session " + number + " was not given out, or has left: ask for another one");
        HostedSession session = from.pool.attach(number, a[1], a[2], a[3], reserved(from), loop.nowNanos());
        if (session == null)
            return ControlReply.refused(ControlStatus.RIGHT, "session " + number + " has another secret");
        if (from.session == null) loop.bind(from, session);
        loop.watch(loop.nowNanos());
        return ControlReply.done();
    }

    /** Attaches a session that may only read. It needs no number, no slot and no journal entry, and no recovery. */
    private ControlReply attachReader(ClientConnection from, int number) {
        if (number != NodeLayout.READER_SESSION)
            return ControlReply.refused(
                    ControlStatus.RIGHT,
                    "this client may only read: its session is " + NodeLayout.READER_SESSION + ", not " + number);
        if (from.session == null) loop.bind(from, new HostedSession(number, loop.nowNanos()));
        return ControlReply.done();
    }

    /**
     * Returns the session slots that the client must leave free. Without client names every client is an administrator.
     * Then the reserve is open only while a dead session waits for its recovery.
     */
    private int reserved(ClientConnection from) {
        boolean may = from.rights.admin() && (loop.hasNames() || from.pool.hasDead());
        return may ? 0 : NodeLayout.RESERVED_SLOTS;
    }

    private ControlReply detach(ClientConnection from, long[] a) {
        HostedPool pool = from.pool;
        int number = number(a[0]);
        if (number == NodeLayout.READER_SESSION) {
            if (from.session != null && from.session.number() == number) from.dropLinks();
            return ControlReply.done();
        }
        HostedSession session = pool.session(number);
        if (session == null) return ControlReply.done();
        if (!session.isSecret(a[1], a[2]))
            return ControlReply.refused(ControlStatus.RIGHT, "session " + number + " has another secret");
        pool.detach(number);
        return ControlReply.done();
    }

    private ControlReply openLink(ClientConnection from, long link) {
        if (from.session == null)
            return ControlReply.refused(
                    ControlStatus.ARGUMENT, "links belong to connections of a session: ATTACH first");
        if (!isLink(link))
            return ControlReply.refused(ControlStatus.ARGUMENT, "a link is 0 to " + (MAX_LINKS - 1) + ": link=" + link);
        try {
            OpenLink opened = new OpenLink(from.pool.node(), from.pool.journal(), from.session.number());
            if (from.rights.write()) from.session.touch();
            from.link((int) link, opened);
            return ControlReply.of(opened.epoch());
        } catch (MemoryNodeException e) {
            from.link((int) link, null);
            return ControlReply.refused(ControlStatus.EPOCH, e.getMessage());
        }
    }

    private ControlReply openRegion(ClientConnection from, long[] a) {
        OpenLink link = isLink(a[0]) ? from.link((int) a[0]) : null;
        if (link == null || link.isBroken())
            return ControlReply.refused(ControlStatus.EPOCH, "the link is broken, or was not opened: link=" + a[0]);
        if (link.access() != tidepool.memory.AccessCode.GRANTED) {
            link.breakDown();
            return ControlReply.refused(ControlStatus.EPOCH, "the session was revoked or its epoch is too old");
        }
        NodeRegion region = link.node().openRegion(new Id128(a[1], a[2]));
        if (region == null) {
            if (++from.wrongCapabilities > MAX_WRONG_CAPABILITIES) loop.guessed(from);
            return ControlReply.refused(ControlStatus.KEY, "no region has this capability");
        }
        long handle = from.open(link, region);
        return ControlReply.of(handle, region.number(), region.dataBytes());
    }

    private static ControlReply regions(Id128[] all) {
        long[] words = new long[2 * all.length];
        for (int i = 0; i < all.length; i++) {
            if (all[i] == null) continue;
            words[2 * i] = all[i].high();
            words[2 * i + 1] = all[i].low();
        }
        return ControlReply.of(words);
    }

    private static ControlReply sessions(int[] all) {
        long[] words = new long[all.length];
        for (int i = 0; i < all.length; i++) words[i] = all[i];
        return ControlReply.of(words);
    }

    private static boolean isLink(long link) {
        return link >= 0 && link < MAX_LINKS;
    }

    /** Maps a word that is no session number to -1, which is refused. */
    private static int number(long session) {
        return session == (int) session ? (int) session : -1;
    }
}
