package tidepool.sim;

/**
 * The durations of a verb from place to place. Each passage is a sum of latencies and of {@link SerialServer}s;
 * {@code docs/benchmarks/cost-model.md} has the picture.
 */
final class Timing {
    private static final int PCIE_WORD = 64;

    private final CostProfile.Nic nic;
    private final CostProfile.Network network;
    private final CostProfile.Pcie pcie;
    private final CostProfile.Memory memory;

    Timing(CostProfile costs) {
        this.nic = costs.nic();
        this.network = costs.network();
        this.pcie = costs.pcie();
        this.memory = costs.memory();
    }

    /** Returns the time of the first byte at the node, if the doorbell is rung now. */
    long arrivalNanos(VerbInFlight flight, long nowNanos) {
        Machine machine = flight.link.simLane.machine;
        long bytes = flight.bytesOut();
        long ready = machine.engine.serve(nowNanos, nic.messagePicos()) + nic.passageNanos();
        if (bytes > nic.inlineBytes()) ready += pcie.readNanos();
        // A send queue is processed in order (DrTM+X thesis §2.2.3, footnote 1).
        ready = Math.max(ready, flight.connection.lastDepartureNanos);
        flight.connection.lastDepartureNanos = ready;
        return machine.outgoing.begin(ready, wirePicos(bytes)) + network.oneWayNanos();
    }

    /** Returns the time when the verb takes effect, if its first byte is at the node now. */
    long effectNanos(VerbInFlight flight, SimNode node, long nowNanos) {
        long bytes = flight.bytesOut();
        long tail = node.incoming.serve(nowNanos, wirePicos(bytes));
        long served = flight.isAtomic()
                ? node.atomics.serve(tail, nic.atomicPicos())
                : node.engine.serve(tail, nic.servicePicos());
        served += nic.passageNanos();
        return switch (flight.kind) {
            case READ -> {
                if (node.isFast(flight)) yield served + pcie.readNanos() / 2 + CostProfile.DRAM.readNanos();
                long picos = linesOf(flight) * memory.readPicosPerByte();
                yield node.reads.serve(served + pcie.readNanos() / 2, picos) + memory.readNanos();
            }
            case WRITE -> {
                long crossed = node.pcieIn.serve(served, bytes * pcie.picosPerByte());
                yield node.isFast(flight) ? crossed : node.writes.serve(crossed, writePicos(flight, node));
            }
            case CAS, FAA, MASKED_CAS, MASKED_FAA, FLUSH -> served + pcie.readNanos() / 2 + memory.readNanos();
            case CALL -> served + pcie.writeNanos();
            case CHAIN -> served;
        };
    }

    /** Returns the time of the completion that the requester can poll, if the verb takes effect now. */
    long completionNanos(VerbInFlight flight, SimNode node, long nowNanos) {
        long bytes = flight.bytesBack();
        long leaves =
                switch (flight.kind) {
                    case READ -> node.pcieOut.serve(nowNanos + pcie.readNanos() / 2, bytes * pcie.picosPerByte());
                    case CAS, FAA, MASKED_CAS, MASKED_FAA -> nowNanos + pcie.readNanos() / 2;
                    case FLUSH -> nowNanos + pcie.readNanos() / 2 + memory.persistNanos();
                    case WRITE, CALL, CHAIN -> nowNanos;
                };
        return backNanos(flight, node, leaves, bytes);
    }

    /** Returns the time of the completion of a refusal. It is an answer without bytes, given at once. */
    long refusalNanos(VerbInFlight flight, SimNode node, long nowNanos) {
        return backNanos(flight, node, nowNanos, 0);
    }

    private long backNanos(VerbInFlight flight, SimNode node, long leavesNanos, long bytes) {
        long head = node.outgoing.begin(leavesNanos, wirePicos(bytes)) + network.oneWayNanos();
        long tail = flight.link.simLane.machine.incoming.serve(head, wirePicos(bytes));
        return tail + nic.passageNanos() + pcie.writeNanos();
    }

    private long wirePicos(long bytes) {
        return (bytes + network.headerBytes()) * network.picosPerByte();
    }

    /**
     * Returns the duration of a write in whole lines. If it does not cover whole words of PCIe, the memory is read
     * first (thesis §2.3, hint H6).
     */
    private long writePicos(VerbInFlight flight, SimNode node) {
        long picos = linesOf(flight) * memory.writePicosPerByte();
        if (memory.bufferLines() > 0) {
            long fresh = freshLinesOf(flight, node);
            if (fresh == 0) return 0;
            picos = fresh * memory.lineBytes() * memory.writePicosPerByte();
        }
        boolean partial = ((flight.offset | flight.length) & (PCIE_WORD - 1)) != 0;
        return partial ? picos + memory.partialWritePicos() : picos;
    }

    /** Returns the number of lines that are not in the write buffer already. */
    private long freshLinesOf(VerbInFlight flight, SimNode node) {
        if (flight.wordCount == 0) return 0;
        long line = memory.lineBytes();
        long last = (flight.offset + flight.memoryBytes() - 1) / line;
        long fresh = 0;
        for (long i = flight.offset / line; i <= last; i++)
            if (!node.gathered.touch((long) flight.regionNumber() << 40 | i)) fresh++;
        return fresh;
    }

    /** Returns the bytes that the memory really moves: whole lines; none for a verb that will be refused. */
    private long linesOf(VerbInFlight flight) {
        if (flight.wordCount == 0) return 0;
        long line = memory.lineBytes();
        long first = flight.offset & -line;
        long end = (flight.offset + flight.memoryBytes() + line - 1) & -line;
        return end - first;
    }
}
