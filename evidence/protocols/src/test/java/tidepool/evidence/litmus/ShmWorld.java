package tidepool.evidence.litmus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import tidepool.fabric.Fabric;

/**
 * A pool in shared memory with a process for each part. The processes live as long as the world, unless a plan kills
 * them.
 */
final class ShmWorld implements World {
    /** The number of rounds of all scenes together. */
    private static final int ROUNDS = 6_000;

    private final Path folder;
    private final String url;
    private final String protocol;
    private final Board board;
    private final Fabric fabric;
    private final RoundExaminer examiner;
    private final List<ShmProcess> players = new ArrayList<>();
    private long nextRound = 1;

    ShmWorld(String protocol) {
        this.protocol = protocol;
        this.folder = newFolder();
        this.url = "shm:" + folder.resolve("pool") + "?nodes=3";
        this.board = board(boardFile());
        this.fabric = Fabric.open(url);
        this.examiner = new RoundExaminer(fabric, NamedProtocols.named(protocol), ROUNDS);
    }

    /** Returns the board in a file; creates the file if there is none. */
    static Board board(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Board(channel.map(FileChannel.MapMode.READ_WRITE, 0, Board.BYTES, Arena.global()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<Plan> schedule(Scene scene, long[] verbs) {
        return scene.scheduleForProcesses(verbs);
    }

    @Override
    public boolean repeats() {
        return false;
    }

    @Override
    public List<Played> play(Scene scene, List<Plan> plans) {
        long first = nextRound;
        nextRound += plans.size();
        start(scene.parts());
        board.clear();
        Notes[][] notes;
        List<Notes> ends;
        try {
            examiner.prepare(scene, first, plans.size());
            notes = parts(scene, first, plans);
            ends = examiner.end(scene, first, plans.size());
        } catch (RuntimeException e) {
            throw new Forbidden("scene=" + scene + " " + e.getMessage(), e);
        }
        List<Played> played = new ArrayList<>();
        for (int r = 0; r < plans.size(); r++) played.add(new Played(plans.get(r), List.of(notes[r]), ends.get(r)));
        return played;
    }

    private Notes[][] parts(Scene scene, long first, List<Plan> plans) {
        StringBuilder command = new StringBuilder("play " + scene.name() + " " + first);
        for (Plan plan : plans) command.append(' ').append(plan);
        for (int p = 0; p < scene.parts(); p++) players.get(p).tell(command.toString());
        Notes[][] notes = new Notes[plans.size()][scene.parts()];
        String failure = null;
        for (int p = 0; p < scene.parts(); p++) {
            String said = listen(p, notes);
            // Collects all failures: a part that fails makes the others leave, and their messages are not the reason.
            if (said != null) failure = failure == null ? said : failure + "; " + said;
            if (players.get(p) == null && plans.getFirst().deathOf(p) < 0) failure = "part " + p + " died by itself";
        }
        if (failure != null) throw new Forbidden(failure);
        return notes;
    }

    private void start(int parts) {
        while (players.size() < parts) players.add(null);
        List<Integer> fresh = new ArrayList<>();
        for (int p = 0; p < parts; p++) {
            if (players.get(p) != null) continue;
            int part = p;
            Runnable gone = () -> board.over(0, part); // a mortal scene is played one round at a time
            String number = Integer.toString(p);
            players.set(p, new ShmProcess(gone, url, boardFile().toString(), protocol, number, "" + ROUNDS));
            fresh.add(p);
        }
        for (int p : fresh) {
            String said = players.get(p).hear();
            if (!said.equals("ready")) throw new IllegalStateException("a player did not begin: " + said);
        }
    }

    /** Collects the notes of a player until it is done or dead. Returns the failure, or null. */
    private String listen(int p, Notes[][] notes) {
        while (true) {
            String line = players.get(p).hear();
            String[] words = line.split(" ", 3);
            switch (words[0]) {
                case "notes" -> notes[Integer.parseInt(words[1])][p] = Notes.parse(words[2]);
                case "done" -> {
                    return null;
                }
                case ShmProcess.END -> {
                    players.get(p).close();
                    players.set(p, null);
                    return null;
                }
                case "failed" -> {
                    return "part " + p + " " + line;
                }
                default -> throw new IllegalStateException("a player said " + line);
            }
        }
    }

    private Path boardFile() {
        return folder.resolve("board");
    }

    private static Path newFolder() {
        try {
            Path memory = Path.of("/dev/shm");
            return Files.isWritable(memory)
                    ? Files.createTempDirectory(memory, "tidepool-litmus-")
                    : Files.createTempDirectory("tidepool-litmus-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        for (ShmProcess player : players) if (player != null) player.close();
        fabric.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
