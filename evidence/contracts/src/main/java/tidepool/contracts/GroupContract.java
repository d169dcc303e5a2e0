package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Traffic;

/**
 * Contract tests of verb groups. Verbs that belong together may be built as one ({@link tidepool.fabric.VerbGroup}).
 * The difference cannot be observed: memory, landed words, counters, refusals and reported effects are as if the verbs
 * had been built one by one.
 */
interface GroupContract extends ContractBase {
    /** Adds verbs to a round, at a place of the client's region. */
    interface Verbs {
        Round add(Round round, ContractClient c, Region region, long at, long length);
    }

    /** Verbs that are built as a group and one by one, and their number. */
    record Pair(String name, int verbs, Verbs together, Verbs oneByOne) {}

    /** Returns all groups that exist. */
    static List<Pair> pairs() {
        return List.of(
                new Pair(
                        "READ behind two words, READ both",
                        3,
                        (round, c, r, at, n) -> round.readBodyThenPair(r, at, n, c.here, 64),
                        (round, c, r, at, n) -> round.read(r, at + 16, n, c.here, 80)
                                .read(r, at, 8, c.here, 64)
                                .read(r, at + 8, 8, c.here, 72)),
                new Pair(
                        "READ two words",
                        2,
                        (round, c, r, at, n) -> round.readPair(r, at, c.here, 64),
                        (round, c, r, at, n) -> round.read(r, at, 8, c.here, 64).read(r, at + 8, 8, c.here, 72)),
                new Pair(
                        "CAS that swaps, READ behind it",
                        2,
                        (round, c, r, at, n) -> round.compareAndSwap(r, at, ContractPool.painted(at), 7, c.here, 32)
                                .readAfterSwap(r, at + 8, n, c.here, 64),
                        (round, c, r, at, n) -> round.compareAndSwap(r, at, ContractPool.painted(at), 7, c.here, 32)
                                .read(r, at + 8, n, c.here, 64)),
                new Pair(
                        "CAS that does not, READ over its word",
                        2,
                        (round, c, r, at, n) ->
                                round.compareAndSwap(r, at, 1, 7, null, 0).readAfterSwap(r, at, n, c.here, 64),
                        (round, c, r, at, n) ->
                                round.compareAndSwap(r, at, 1, 7, null, 0).read(r, at, n, c.here, 64)),
                new Pair(
                        "WRITE a mark, WRITE behind it",
                        2,
                        (round, c, r, at, n) -> round.markThenWrite(r, at, 5, n, c.here, 512),
                        (round, c, r, at, n) -> round.write(r, at, 5).write(r, at + 8, n, c.here, 512)),
                new Pair(
                        "WRITE two words backwards",
                        2,
                        (round, c, r, at, n) -> round.writePairBackwards(r, at, 5, 6),
                        (round, c, r, at, n) -> round.write(r, at + 8, 5).write(r, at, 6)));
    }

    /**
     * Groups at good places, and at every kind of bad one: before the region, over its end, off the grid, of length
     * zero.
     */
    @Test
    default void groupsAreTheirVerbsOneByOne() {
        long[][] places = {
            {0, 40},
            {4096, 8},
            {128, 512},
            {ContractPool.BYTES - 16, 8},
            {ContractPool.BYTES - 24, 8},
            {ContractPool.BYTES - 56, 40},
            {ContractPool.BYTES - 8, 8},
            {ContractPool.BYTES, 40},
            {-8, 40},
            {-16, 8},
            {4, 40},
            {64, 12},
            {64, 0},
            {Long.MAX_VALUE - 7, 8}
        };
        for (Pair pair : pairs())
            for (long[] place : places)
                assertEquals(
                        account(pair.verbs, pair.oneByOne, place[0], place[1]),
                        account(pair.verbs, pair.together, place[0], place[1]),
                        pair.name + " of " + place[1] + " at " + place[0]);
    }

    /**
     * Resets the source of chance, if the fabric has one, so that the next world makes the same choices as the first.
     */
    default void asBefore() {}

    /** Returns everything that can be observed of a round with these verbs between others, in a fresh pool. */
    private String account(int count, Verbs verbs, long at, long length) {
        asBefore();
        StringBuilder account = new StringBuilder();
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                pool.paint();
                try (ContractClient c = pool.client()) {
                    for (int i = 0; i < 80; i++) Words.plain(c.here, 512 + 8L * i, 1000 + i);
                    Traffic before = c.lane.traffic().snapshot();
                    c.round.write(c.regions[1], 8, 77);
                    verbs.add(c.round, c, c.region(), at, length);
                    c.round.read(c.regions[1], 0, 64, c.here, 1600).write(c.region(), 256, 78);
                    try {
                        c.round.post().await();
                    } catch (FabricException e) {
                        account.append(e.refusal()).append(' ').append(e.effect());
                    }
                    for (int i = 0; i < count + 3; i++)
                        account.append(' ')
                                .append(c.round.verb(i).kind())
                                .append(c.round.verb(i).effect())
                                .append(c.round.verb(i).refusal());
                    account.append(c.lane.traffic().since(before));
                    for (long here = 0; here < 2048; here += 8)
                        account.append(' ').append(c.landed(here));
                }
                for (int node = 0; node < 3; node++) account.append(' ').append(pool.fingerprint(node));
            });
        }
        return account.toString();
    }

    /** A group that does not fit is named in the error, and the verbs before it can still be posted. */
    @Test
    default void groupTakesTheRoomOfItsVerbs() {
        for (Pair pair : pairs())
            story(c -> {
                Round small = c.lane.round(pair.verbs);
                small.write(c.region(), 4096, 9);
                IllegalArgumentException thrown = assertThrows(
                        IllegalArgumentException.class, () -> pair.together.add(small, c, c.region(), 64, 8));
                assertTrue(thrown.getMessage().contains("capacity=" + pair.verbs), thrown.getMessage());
                small.post().await();
                assertEquals(9, c.word(4096));
            });
    }

    /** A fence before a group is a fence before its first verb, also if groups came before it. */
    @Test
    default void fencesAreCountedAroundGroups() {
        for (Pair pair : pairs()) assertEquals(fenced(pair.oneByOne), fenced(pair.together), pair.name);
    }

    private String fenced(Verbs verbs) {
        List<String> counted = new ArrayList<>();
        story(c -> {
            Link link = c.link();
            Traffic before = c.lane.traffic().snapshot();
            verbs.add(c.round, c, c.region(), 64, 8);
            c.round.fence(link);
            verbs.add(c.round, c, c.region(), 4096, 8).post().await();
            counted.add(c.lane.traffic().since(before).toString());
        });
        return counted.getFirst();
    }
}
