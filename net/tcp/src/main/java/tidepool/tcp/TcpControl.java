package tidepool.tcp;

import java.util.Arrays;
import tidepool.base.Id128;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Session;
import tidepool.memory.Extent;
import tidepool.memory.NodeStatistics;
import tidepool.wire.ControlCode;
import tidepool.wire.Shortfall;

/** Control calls to one node, sent over the fabric's control connection. */
final class TcpControl implements NodeControl {
    private final TcpFabric fabric;
    private final int node;

    TcpControl(TcpFabric fabric, int node) {
        this.fabric = fabric;
        this.node = node;
    }

    @Override
    public Id128 createRegion(long bytes) {
        long[] capability = ask(2, ControlCode.CREATE_REGION, bytes);
        return new Id128(capability[0], capability[1]);
    }

    @Override
    public void freeRegion(Id128 capability) {
        ask(0, ControlCode.FREE_REGION, capability.high(), capability.low());
    }

    @Override
    public Extent allocate(Id128 capability, long bytes, int session) {
        long[] extent = ask(2, ControlCode.ALLOCATE, capability.high(), capability.low(), bytes, session);
        return new Extent(extent[0], extent[1]);
    }

    @Override
    public void free(Id128 capability, Extent extent) {
        ask(0, ControlCode.FREE, capability.high(), capability.low(), extent.offset(), extent.bytes());
    }

    @Override
    public Id128[] regions() {
        long[] words = ask(0, ControlCode.REGIONS);
        Id128[] regions = new Id128[words.length / 2];
        for (int i = 0; i < regions.length; i++) {
            long high = words[2 * i];
            long low = words[2 * i + 1];
            regions[i] = (high | low) == 0 ? null : new Id128(high, low);
        }
        return regions;
    }

    @Override
    public void revoke(int session) {
        ask(0, ControlCode.REVOKE, session);
    }

    @Override
    public boolean isRevoked(int session) {
        return ask(1, ControlCode.IS_REVOKED, session)[0] != 0;
    }

    @Override
    public int[] sessions() {
        return Arrays.stream(ask(0, ControlCode.SESSIONS))
                .mapToInt(this::sessionNumber)
                .toArray();
    }

    @Override
    public void forget(int session) {
        ask(0, ControlCode.FORGET, session);
        fabric.suspects().remove(session);
    }

    @Override
    public long epoch() {
        return ask(1, ControlCode.EPOCH)[0];
    }

    @Override
    public void raiseEpoch(long epoch) {
        ask(0, ControlCode.RAISE_EPOCH, epoch);
    }

    @Override
    public long powerLosses() {
        return ask(1, ControlCode.POWER_LOSSES)[0];
    }

    @Override
    public String doubt() {
        long[] words = ask(4, ControlCode.DOUBT);
        if (words[0] == 0) return null;
        Shortfall last = new Shortfall(1, words[1], words[2], words[3]);
        return fabric.where(node) + " may hold less than it has acknowledged"
                + (last.segment() == 0
                        ? ", or was being filled from another copy"
                        : ": its journal ended at block " + last.sequence() + ", in DIR/journal/" + last.file()
                                + (last.acknowledged() > last.sequence()
                                        ? ", and block " + last.acknowledged() + " was acknowledged"
                                        : ""));
    }

    @Override
    public void setDoubted(boolean doubted) {
        ask(0, ControlCode.SET_DOUBT, doubted ? 1 : 0);
    }

    @Override
    public long[] lives() {
        return ask(0, ControlCode.LIVES);
    }

    @Override
    public boolean keepsFlushed() {
        return fabric.keepsFlushed(node);
    }

    @Override
    public NodeStatistics statistics() {
        return NodeStatistics.ofWords(ask(NodeStatistics.WORDS, ControlCode.STATISTICS));
    }

    private int sessionNumber(long word) {
        if (word >= 0 && word < 1L << Session.NUMBER_BITS) return (int) word;
        throw new FabricException(
                Reason.DISCONNECTED, Effect.UNKNOWN, "the node names a session that cannot be: node=" + node);
    }

    private long[] ask(int results, long... words) {
        return fabric.ask(node, results, words);
    }
}
