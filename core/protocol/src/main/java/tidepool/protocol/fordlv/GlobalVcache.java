package tidepool.protocol.fordlv;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Round;
import tidepool.memory.Handlers;
import tidepool.memory.VersionHandler;
import tidepool.memory.VersionTable;
import tidepool.protocol.Step;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.WriteSet;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.LogLayout;
import tidepool.store.TxnId;

/**
 * The Vcache that all processes share, at node 0, reached by CALL. Announcements and questions are gathered and sent in
 * one message. Versions that are settled at the end are sent in the background, and the locks are released after their
 * answer.
 */
final class GlobalVcache implements Vcache {
    private static final int NODE = 0;

    /** The maximum numbers of settled and announced places, and of questions, in one message. */
    private static final int OBJECTS = WriteSet.MAX_OBJECTS;

    private static final int LOOKS = RecordTxn.MAX_ACCESSES;
    private static final long REQUEST_BYTES = VersionHandler.PARTS + 16L * (2 * OBJECTS + LOOKS);
    private static final long REPLY_BYTES = VersionHandler.ANSWERS + 8L * LOOKS;

    /** A message that is being made or in flight. */
    private static final class Message {
        final Round round;
        final MemorySegment request;
        final MemorySegment reply;

        Message(Lane lane) {
            round = lane.round(1);
            request = lane.landing(REQUEST_BYTES);
            reply = lane.landing(REPLY_BYTES);
        }
    }

    private final Link link;
    private final Id128 table;
    private final Message talk;
    private final Message fills;
    private final Message[] settles = new Message[LogLayout.SLOTS];
    private final VcacheCounts counts = new VcacheCounts();
    private final long[] settlePlaces = new long[OBJECTS];
    private final long[] settleVersions = new long[OBJECTS];
    private final long[] announces = new long[OBJECTS];
    private final long[] looks = new long[2 * LOOKS];
    private final long[] fillPairs = new long[2 * LOOKS];

    /** The answers to questions of earlier messages of a transaction that asks too many for one. */
    private long[] answers = new long[0];

    private int earlier;
    private int settleCount;
    private int announceCount;
    private int lookCount;
    private int fillCount;
    private int answered;
    private int nextSettle;
    private long id;
    private int holdingSession;

    /** A message of this series was refused. */
    private boolean refused;

    /** How many of the answers that are looked at came with earlier messages. */
    private int asked;

    GlobalVcache(Lane lane, PoolRegions pool, Id128 table) {
        this.link = pool.log(NODE).link();
        this.table = table;
        this.talk = new Message(lane);
        this.fills = new Message(lane);
        for (int i = 0; i < settles.length; i++) settles[i] = new Message(lane);
    }

    @Override
    public boolean covers(Access a) {
        return true;
    }

    @Override
    public void announce(WriteTarget t, long txn) {
        id = txn;
        if (announceCount == OBJECTS) send();
        announces[announceCount++] = t.pointer;
    }

    @Override
    public void ask(Access a, long txn) {
        id = txn;
        if (lookCount == LOOKS) sendAndKeepAnswers();
        looks[2 * lookCount] = a.witness;
        looks[2 * lookCount++ + 1] = a.versionSeen;
    }

    @Override
    public boolean exchange() {
        answered = 0;
        if (announceCount + lookCount + settleCount > 0) send();
        boolean done = !refused;
        refused = false;
        asked = earlier;
        earlier = 0;
        return done;
    }

    /** Sends what was gathered, and waits for the answers. */
    private void send() {
        long bytes = write(talk.request, true);
        Step.ANNOUNCE
                .on(call(talk, bytes, VersionHandler.ANSWERS + 8L * lookCount))
                .aside()
                .post()
                .await();
        announceCount = lookCount = settleCount = 0;
        long status = Words.plain(talk.reply, VersionHandler.STATUS);
        // A set names its holder by session number. An announcement, which is no refusal, has the id of its
        // transaction.
        if (status == VersionHandler.HELD) holdingSession = (int) Words.plain(talk.reply, VersionHandler.HOLDER);
        else if (!refused) holdingSession = 0;
        refused |= status != VersionHandler.DONE;
    }

    /** Sends a part of the questions of a large transaction. */
    private void sendAndKeepAnswers() {
        int count = lookCount;
        send();
        if (earlier + count > answers.length) answers = Arrays.copyOf(answers, 2 * (earlier + count));
        for (int i = 0; i < count; i++) answers[earlier++] = Words.plain(talk.reply, VersionHandler.ANSWERS + 8L * i);
    }

    private int answer(int number) {
        return (int)
                (number < asked
                        ? answers[number]
                        : Words.plain(talk.reply, VersionHandler.ANSWERS + 8L * (number - asked)));
    }

    @Override
    public Answer look(Access a, long txn) {
        int answer = answer(answered++);
        switch (answer) {
            case VersionTable.SAME -> counts.hits++;
            case VersionTable.CHANGED -> counts.changed++;
            case VersionTable.ABSENT -> counts.misses++;
            default -> counts.busy++;
        }
        return switch (answer) {
            case VersionTable.SAME -> Answer.SAME;
            case VersionTable.CHANGED -> Answer.CHANGED;
            case VersionTable.ABSENT -> Answer.ABSENT;
            default -> Answer.BUSY;
        };
    }

    @Override
    public void fill(Access a, long txn) {
        id = txn;
        if (fillCount == LOOKS) filled();
        fillPairs[2 * fillCount] = a.witness;
        fillPairs[2 * fillCount++ + 1] = a.versionSeen;
        counts.fills++;
    }

    @Override
    public void filled() {
        if (fillCount == 0) return;
        fills.round.settle();
        header(fills.request);
        Words.plain(fills.request, VersionHandler.FILLS, fillCount);
        long at = VersionHandler.PARTS;
        for (int i = 0; i < 2 * fillCount; i++, at += 8) Words.plain(fills.request, at, fillPairs[i]);
        fillCount = 0;
        Step.VALIDATE.on(call(fills, at, VersionHandler.ANSWERS)).postInBackground();
    }

    @Override
    public void settle(WriteTarget t, long version) {
        if (settleCount == OBJECTS) {
            send();
            refused = false; // an entry that is missing costs a reader a look at memory
        }
        settlePlaces[settleCount] = t.pointer;
        settleVersions[settleCount++] = version;
    }

    /**
     * Posts the release so that the Vcache has the new versions before another transaction can lock the written
     * objects.
     */
    @Override
    public void postAfter(Round release) {
        Message message = settles[nextSettle++ % settles.length];
        message.round.settle();
        long bytes = write(message.request, false);
        settleCount = 0;
        Step.SETTLE.on(call(message, bytes, VersionHandler.ANSWERS)).postInBackground(release);
    }

    /** Removes the announcements of a dead session. It is revoked, so it sends no new ones. */
    void forget(int dead) {
        id = TxnId.of(dead, 1);
        header(talk.request);
        Words.plain(talk.request, VersionHandler.FORGET_MASK, TxnId.SESSION_MASK);
        Words.plain(talk.request, VersionHandler.DEAD, dead);
        Step.OTHER
                .on(call(talk, VersionHandler.PARTS, VersionHandler.ANSWERS))
                .aside()
                .post()
                .await();
    }

    private long write(MemorySegment request, boolean talks) {
        header(request);
        Words.plain(request, VersionHandler.SETTLES, settleCount);
        Words.plain(request, VersionHandler.ANNOUNCES, talks ? announceCount : 0);
        Words.plain(request, VersionHandler.LOOKS, talks ? lookCount : 0);
        long at = VersionHandler.PARTS;
        for (int i = 0; i < settleCount; i++, at += 16) {
            Words.plain(request, at, settlePlaces[i]);
            Words.plain(request, at + 8, settleVersions[i]);
        }
        if (!talks) return at;
        for (int i = 0; i < announceCount; i++, at += 8) Words.plain(request, at, announces[i]);
        for (int i = 0; i < 2 * lookCount; i++, at += 8) Words.plain(request, at, looks[i]);
        return at;
    }

    private void header(MemorySegment request) {
        Words.plain(request, VersionHandler.CAPABILITY_HIGH, table.high());
        Words.plain(request, VersionHandler.CAPABILITY_LOW, table.low());
        Words.plain(request, VersionHandler.ID, id);
        for (long at = VersionHandler.FORGET_MASK; at < VersionHandler.PARTS; at += 8) Words.plain(request, at, 0);
    }

    private Round call(Message message, long bytes, long replyBytes) {
        return message.round.call(link, Handlers.VERSIONS, message.request, 0, bytes, message.reply, 0, replyBytes);
    }

    @Override
    public int holdingSession() {
        return holdingSession;
    }

    @Override
    public VcacheCounts counts() {
        return counts;
    }
}
