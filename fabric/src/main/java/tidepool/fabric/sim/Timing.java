package tidepool.fabric.sim;

/**
 * How long a verb takes from place to place. Each passage is a sum of latencies and of {@link Pipe}s that serve one
 * thing after the other; {@code docs/cost-model.md} has the picture.
 */
final class Timing {
    private static final int PCIE_WORD = 64;

    private final CostProfile.Nic nic;
    private final CostProfile.Wire wire;
    private final CostProfile.Pcie pcie;
    private final CostProfile.Memory memory;

    Timing(CostProfile costs) {
        this.nic = costs.nic();
        this.wire = costs.wire();
        this.pcie = costs.pcie();
        this.memory = costs.memory();
    }

    /** From the doorbell, rung now, to the first byte at the node. */
    long arrivalNanos(Flight flight, long nowNanos) {
        Machine machine = flight.link.simLane.machine;
        long bytes = flight.bytesOut();
        long ready = machine.engine.serve(nowNanos, nic.messagePicos()) + nic.passageNanos();
        if (bytes > nic.inlineBytes()) ready += pcie.readNanos();
        // A send queue is worked off in order (DrTM+X thesis §2.2.3, footnote 1).
        ready = Math.max(ready, flight.connection.lastDepartureNanos);
        flight.connection.lastDepartureNanos = ready;
        return machine.outgoing.begin(ready, wirePicos(bytes)) + wire.oneWayNanos();
    }

    /** From the first byte at the node, now, to the moment when it takes effect. */
    long effectNanos(Flight flight, SimNode node, long nowNanos) {
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

    /** From the moment of its effect, now, to the completion that the requester can poll. */
    long completionNanos(Flight flight, SimNode node, long nowNanos) {
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

    /** A refusal is an answer without bytes, given at once. */
    long refusalNanos(Flight flight, SimNode node, long nowNanos) {
        return backNanos(flight, node, nowNanos, 0);
    }

    private long backNanos(Flight flight, SimNode node, long leavesNanos, long bytes) {
        long head = node.outgoing.begin(leavesNanos, wirePicos(bytes)) + wire.oneWayNanos();
        long tail = flight.link.simLane.machine.incoming.serve(head, wirePicos(bytes));
        return tail + nic.passageNanos() + pcie.writeNanos();
    }

    private long wirePicos(long bytes) {
        return (bytes + wire.headerBytes()) * wire.picosPerByte();
    }

    /** Whole lines; and the memory is read first where words of PCIe are not covered (thesis §2.3, hint H6). */
    private long writePicos(Flight flight, SimNode node) {
        long picos = linesOf(flight) * memory.writePicosPerByte();
        if (memory.bufferLines() > 0) {
            long fresh = freshLinesOf(flight, node);
            if (fresh == 0) return 0;
            picos = fresh * memory.lineBytes() * memory.writePicosPerByte();
        }
        boolean partial = ((flight.offset | flight.length) & (PCIE_WORD - 1)) != 0;
        return partial ? picos + memory.partialWritePicos() : picos;
    }

    /** Lines that the memory is not about to write anyway. */
    private long freshLinesOf(Flight flight, SimNode node) {
        if (flight.wordCount == 0) return 0;
        long line = memory.lineBytes();
        long last = (flight.offset + flight.memoryBytes() - 1) / line;
        long fresh = 0;
        for (long i = flight.offset / line; i <= last; i++)
            if (!node.gathered.touch((long) flight.regionNumber() << 40 | i)) fresh++;
        return fresh;
    }

    /** Bytes that the memory really moves: whole lines; none for a verb that will be refused. */
    private long linesOf(Flight flight) {
        if (flight.wordCount == 0) return 0;
        long line = memory.lineBytes();
        long first = flight.offset & -line;
        long end = (flight.offset + flight.memoryBytes() + line - 1) & -line;
        return end - first;
    }
}
