package tidepool.fuzz;

import tidepool.tcp.node.FrameHarness;
import tidepool.tcp.secure.Gate;

/** Frames of a client that was let in: refused or carried out, and nothing outside its pool changes. */
final class FramesTarget implements Target {
    private final FrameHarness node = new FrameHarness(Gate.OPEN);

    @Override
    public void feed(byte[] input) {
        node.feedClient(input);
    }
}
