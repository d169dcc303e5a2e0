package tidepool.fabric.sim;

import java.util.List;

/**
 * What things cost in virtual time. Every constant has its source, or says that it is estimated, in
 * {@code docs/cost-model.md}; {@code CostProfileTest} adds up the parts and expects the sum to the nanosecond.
 *
 * @param postNanos CPU to write one work request
 * @param doorbellNanos CPU to ring the doorbell, once for each link of a round
 * @param pollNanos CPU to take a completion, once for each link of a round
 * @param inlineBytes a WRITE or CALL up to this length travels inside its work request; a longer one is fetched over PCIe
 * @param nicNanos latency of each passage through a NIC
 * @param messagePicos of a NIC's engine for each verb, at the requester and at the memory node
 * @param atomicPicos of the memory node's atomic unit for each atomic
 * @param wireNanos propagation and switch, one way
 * @param wirePicosPerByte each direction of each machine's link
 * @param headerBytes that every message adds on the wire
 * @param pcieReadNanos round trip of a DMA read
 * @param pcieWriteNanos of a DMA write until the CPU sees it: landing and completion at the requester
 * @param pciePicosPerByte each direction, at the memory node
 * @param readNanos latency of the memory itself
 * @param readPicosPerByte bandwidth of the memory for reads
 * @param writePicosPerByte bandwidth of the memory for writes
 * @param lineBytes the unit in which memory is read and written
 * @param partialWritePicos added when a WRITE does not cover whole 64-byte words of PCIe: read, modify, write
 * @param persistNanos added to a FLUSH
 * @param handlerNanos CPU of the memory node for one CALL
 * @param nodeCores of a memory node, for CALLs
 * @param chainStepNanos of the memory node's NIC for each step of chained work, besides what it moves
 * @param deadlineNanos after which a round gives up, unless it says otherwise
 * @param leaseNanos after which a machine that does not move counts as dead
 */
public record CostProfile(
        String name,
        long postNanos,
        long doorbellNanos,
        long pollNanos,
        int inlineBytes,
        long nicNanos,
        long messagePicos,
        long atomicPicos,
        long wireNanos,
        long wirePicosPerByte,
        int headerBytes,
        long pcieReadNanos,
        long pcieWriteNanos,
        long pciePicosPerByte,
        long readNanos,
        long readPicosPerByte,
        long writePicosPerByte,
        int lineBytes,
        long partialWritePicos,
        long persistNanos,
        long handlerNanos,
        int nodeCores,
        long chainStepNanos,
        long deadlineNanos,
        long leaseNanos) {

    private static final long MICROS = 1_000;
    private static final long MILLIS = 1_000_000;

    /** ConnectX-5, 100 Gb/s, one switch, DRAM: the testbeds of FORD §6.1 (without its PM) and Motor §7.1. */
    public static final CostProfile CX5 = new CostProfile(
            "cx5",
            /* CPU: post, doorbell, poll, inline */ 30, 100, 40, 64,
            /* NIC: passage, message, atomic */ 100, 14_286, 20_833,
            /* wire: one way, per byte, header */ 150, 80, 42,
            /* PCIe: read, write, per byte */ 1000, 200, 72,
            /* memory: latency, read, write, line, partial, persist */ 82, 10, 10, 64, 0, 0,
            /* node: handler, cores, chain step */ 400, 1, 100,
            /* deadline, lease */ MILLIS, 10 * MILLIS);

    /** The same with Optane DC persistent memory, DDIO off: FORD §6.1, R74V of the DrTM+X thesis §2.3. */
    public static final CostProfile CX5_OPTANE = new CostProfile(
            "cx5-optane",
            30, 100, 40, 64,
            100, 14_286, 20_833,
            150, 80, 42,
            1000, 200, 72,
            271, 25, 80, 256, 46_187, 0,
            400, 1, 100,
            MILLIS, 10 * MILLIS);

    /** ConnectX-3, 40 Gb/s: the generation of FaRM, FaSST and the first DrTM; atomics are its weak spot. */
    public static final CostProfile CX3 = new CostProfile(
            "cx3",
            30, 100, 40, 64,
            150, 28_571, 370_370,
            150, 200, 42,
            1000, 200, 140,
            82, 10, 10, 64, 0, 0,
            400, 1, 100,
            MILLIS, 10 * MILLIS);

    /** Memory behind a CXL switch: loads and stores, no NIC, no doorbell, hundreds of nanoseconds. */
    public static final CostProfile CXL = new CostProfile(
            "cxl",
            5, 0, 5, 4096,
            0, 1_000, 10_000,
            85, 32, 16,
            0, 0, 0,
            82, 10, 10, 64, 0, 100,
            400, 1, 50,
            100 * MICROS, 10 * MILLIS);

    /** Nothing costs anything: for tests that care about order and not about time. */
    public static final CostProfile ZERO = new CostProfile(
            "zero",
            0, 0, 0, 0,
            0, 0, 0,
            0, 0, 0,
            0, 0, 0,
            0, 0, 0, 64, 0, 0,
            0, 1, 0,
            MILLIS, 10 * MILLIS);

    private static final List<CostProfile> ALL = List.of(CX5, CX5_OPTANE, CX3, CXL, ZERO);

    /** By its name on the command line: cx5, cx5-optane, cx3, cxl, zero. */
    public static CostProfile named(String name) {
        for (CostProfile profile : ALL) if (profile.name.equals(name)) return profile;
        throw new IllegalArgumentException("unknown cost profile '" + name + "'; known: "
                + String.join(", ", ALL.stream().map(CostProfile::name).toList()));
    }

    public static List<CostProfile> all() {
        return ALL;
    }

    /** The same with other patience. */
    public CostProfile withDeadline(long nanos) {
        return new CostProfile(
                name, postNanos, doorbellNanos, pollNanos, inlineBytes, nicNanos, messagePicos, atomicPicos, wireNanos,
                wirePicosPerByte, headerBytes, pcieReadNanos, pcieWriteNanos, pciePicosPerByte, readNanos,
                readPicosPerByte, writePicosPerByte, lineBytes, partialWritePicos, persistNanos, handlerNanos, nodeCores,
                chainStepNanos, nanos, leaseNanos);
    }

    /** The same with another lease. */
    public CostProfile withLease(long nanos) {
        return new CostProfile(
                name, postNanos, doorbellNanos, pollNanos, inlineBytes, nicNanos, messagePicos, atomicPicos, wireNanos,
                wirePicosPerByte, headerBytes, pcieReadNanos, pcieWriteNanos, pciePicosPerByte, readNanos,
                readPicosPerByte, writePicosPerByte, lineBytes, partialWritePicos, persistNanos, handlerNanos, nodeCores,
                chainStepNanos, deadlineNanos, nanos);
    }

    /** Bytes that the memory really moves for a range: whole lines. */
    long lineBytesOf(long offset, long length) {
        if (length == 0) return 0;
        long first = offset & -lineBytes;
        long end = (offset + length + lineBytes - 1) & -lineBytes;
        return end - first;
    }
}
