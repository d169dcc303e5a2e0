package tidepool.fabric.shm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import tidepool.fabric.Fabric;

/**
 * A child program that answers, for each session number it reads, whether that session is dead as seen from its
 * process.
 */
final class LivenessChild {
    private LivenessChild() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Fabric fabric = Fabric.open(arguments[0])) {
            for (String line = input.readLine(); line != null; line = input.readLine())
                System.out.println(fabric.isDead(Integer.parseInt(line)));
        }
    }
}
