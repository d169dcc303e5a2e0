package tidepool.evidence.litmus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import tidepool.fabric.Fabric;

/**
 * A process that plays one part. It takes commands as lines on its standard input ({@code play SCENE FIRST PLAN…}) and
 * answers by lines on its standard output. It ends with its input, so that it never outlives the process that started
 * it.
 */
final class ShmPlayer {
    private static final Logger LOG = Logger.getLogger("tidepool");

    /** Exit code of kill -9: nothing of this process runs any more. */
    private static final int KILLED = 137;

    private final PrintStream out;
    private final Player player;

    private ShmPlayer(String url, Path board, String protocol, int number, int rounds) {
        LOG.setLevel(Level.OFF);
        this.out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        this.player = new Player(
                Fabric.open(url), NamedProtocols.named(protocol), ShmWorld.board(board), number, this::halt, rounds);
    }

    public static void main(String[] args) throws IOException {
        ShmPlayer process =
                new ShmPlayer(args[0], Path.of(args[1]), args[2], Integer.parseInt(args[3]), Integer.parseInt(args[4]));
        process.say("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) process.play(line.split(" ", -1));
        process.player.close();
        System.exit(0);
    }

    private void play(String[] words) {
        List<Plan> plans = new ArrayList<>();
        for (int i = 3; i < words.length; i++) plans.add(Plan.parse(words[i]));
        try {
            player.play(
                    Scenes.named(words[1]),
                    Long.parseLong(words[2]),
                    plans,
                    (r, notes) -> out.println("notes " + r + " " + notes));
            say("done");
        } catch (Board.Left e) {
            say("done"); // the part that failed reports why
        } catch (RuntimeException e) {
            say("failed " + e.toString().replace('\n', ' '));
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    private void halt() {
        out.flush();
        Runtime.getRuntime().halt(KILLED);
    }
}
