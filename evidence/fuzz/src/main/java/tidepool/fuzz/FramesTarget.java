package tidepool.fuzz;

import tidepool.node.FrameHarness;
import tidepool.node.security.ClientAuthenticator;

/** Frames of an authenticated client: each is refused or executed, and nothing outside its pool changes. */
final class FramesTarget implements FuzzTarget {
    private final FrameHarness node = new FrameHarness(ClientAuthenticator.OPEN);

    @Override
    public void feed(byte[] input) {
        node.feedClient(input);
    }
}
