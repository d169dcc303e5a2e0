package tidepool.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code tidepool node} in a process that takes all its memory away when a line comes in. */
final class HungryNode {
    private static final List<byte[]> EATEN = new ArrayList<>(1 << 20);

    private HungryNode() {}

    public static void main(String[] args) {
        Thread.ofPlatform().daemon().start(HungryNode::eat);
        Main.main(args);
    }

    private static void eat() {
        try {
            if (System.in.read() < 0) return;
        } catch (IOException e) {
            return;
        }
        for (int bytes = 1 << 20; ; bytes = Math.max(16, bytes / 2)) fill(bytes);
    }

    private static void fill(int bytes) {
        try {
            while (EATEN.size() < 1 << 20) EATEN.add(new byte[bytes]);
        } catch (OutOfMemoryError e) {
            // The remaining heap is for smaller pieces.
        }
    }
}
