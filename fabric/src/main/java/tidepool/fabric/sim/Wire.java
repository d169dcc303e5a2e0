package tidepool.fabric.sim;

import tidepool.fabric.VerbKind;

/**
 * How long a verb takes from place to place. Each passage is a sum of latencies and of {@link Pipe}s that serve one
 * thing after the other; {@code docs/cost-model.md} has the picture.
 */
final class Wire {
    private final CostProfile costs;

    Wire(CostProfile costs) {
        this.costs = costs;
    }

    /** From the doorbell, rung now, to the first byte at the node. */
    long arrivalNanos(Flight flight, long nowNanos) {
        Machine machine = flight.link.simLane.machine;
        long bytes = flight.bytesOut();
        long ready = machine.engine.serve(nowNanos, costs.messagePicos()) + costs.nicNanos();
        if (bytes > costs.inlineBytes()) ready += costs.pcieReadNanos();
        // A send queue is worked off in order (DrTM+X thesis §2.2.3, footnote 1).
        ready = Math.max(ready, flight.connection.lastDepartureNanos);
        flight.connection.lastDepartureNanos = ready;
        long picos = (bytes + costs.headerBytes()) * costs.wirePicosPerByte();
        return machine.outgoing.begin(ready, picos) + costs.wireNanos();
    }

    /** From the first byte at the node, now, to the moment when it takes effect. */
    long effectNanos(Flight flight, SimNode node, long nowNanos) {
        long bytes = flight.bytesOut();
        long tail = node.incoming.serve(nowNanos, (bytes + costs.headerBytes()) * costs.wirePicosPerByte());
        Pipe engine = flight.isAtomic() ? node.atomics : node.engine;
        long served = engine.serve(tail, flight.isAtomic() ? costs.atomicPicos() : costs.messagePicos())
                + costs.nicNanos();
        return switch (flight.kind) {
            case READ -> {
                long moved = costs.lineBytesOf(flight.offset, flight.memoryBytes()) * costs.readPicosPerByte();
                yield node.reads.serve(served + costs.pcieReadNanos() / 2, moved) + costs.readNanos();
            }
            case WRITE -> {
                long crossed = node.pcieIn.serve(served, bytes * costs.pciePicosPerByte());
                yield node.writes.serve(crossed, writePicos(flight));
            }
            case CAS, FAA, MASKED_CAS, MASKED_FAA, FLUSH -> served + costs.pcieReadNanos() / 2 + costs.readNanos();
            case CALL -> served + costs.pcieWriteNanos();
            case CHAIN -> served;
        };
    }

    /** From the moment of its effect, now, to the completion that the requester can poll. */
    long completionNanos(Flight flight, SimNode node, long nowNanos) {
        long bytes = flight.bytesBack();
        long leaves = switch (flight.kind) {
            case READ -> node.pcieOut.serve(nowNanos + costs.pcieReadNanos() / 2, bytes * costs.pciePicosPerByte());
            case CAS, FAA, MASKED_CAS, MASKED_FAA -> nowNanos + costs.pcieReadNanos() / 2;
            case FLUSH -> nowNanos + costs.pcieReadNanos() / 2 + costs.persistNanos();
            case WRITE, CALL, CHAIN -> nowNanos;
        };
        long picos = (bytes + costs.headerBytes()) * costs.wirePicosPerByte();
        long head = node.outgoing.begin(leaves, picos) + costs.wireNanos();
        long tail = flight.link.simLane.machine.incoming.serve(head, picos);
        return tail + costs.nicNanos() + costs.pcieWriteNanos();
    }

    /** A refusal is an answer without bytes, given at once. */
    long refusalNanos(Flight flight, SimNode node, long nowNanos) {
        long picos = costs.headerBytes() * costs.wirePicosPerByte();
        long head = node.outgoing.begin(nowNanos, picos) + costs.wireNanos();
        return flight.link.simLane.machine.incoming.serve(head, picos) + costs.nicNanos() + costs.pcieWriteNanos();
    }

    /** Whole lines; and the memory is read first where 64-byte words of PCIe are not covered (thesis §2.3, H6). */
    private long writePicos(Flight flight) {
        long picos = costs.lineBytesOf(flight.offset, flight.memoryBytes()) * costs.writePicosPerByte();
        boolean partial = flight.kind == VerbKind.WRITE && ((flight.offset | flight.length) & 63) != 0;
        return partial ? picos + costs.partialWritePicos() : picos;
    }
}
