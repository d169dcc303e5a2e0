package tidepool.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tidepool.testkit.ChildProcess;

/** ZooKeeper servers as processes of their own, which can be killed. */
final class ZooKeepers implements AutoCloseable {
    private static final List<String> OPTIONS = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final List<Integer> ports = new ArrayList<>();
    private final List<Path> folders = new ArrayList<>();
    private final ChildProcess[] processes;

    private ZooKeepers(int count) {
        processes = new ChildProcess[count];
    }

    /** The main method of a server process: serves, and prints its port. */
    public static void main(String[] arguments) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1]));
        try (LocalZooKeeper server = new LocalZooKeeper(Path.of(arguments[0]), any)) {
            System.out.println("PORT " + server.port());
            server.await();
        }
    }

    /** Starts one server. */
    static ZooKeepers one(Path folder) throws IOException {
        ZooKeepers one = new ZooKeepers(1);
        one.folders.add(folder);
        one.ports.add(0);
        one.start(0);
        return one;
    }

    /** Starts an ensemble of three servers. */
    static ZooKeepers three(Path folder) throws IOException {
        ZooKeepers three = new ZooKeepers(3);
        List<Integer> free = freePorts(9);
        StringBuilder common =
                new StringBuilder("tickTime=250\ninitLimit=40\nsyncLimit=20\nadmin.enableServer=false\n");
        for (int i = 0; i < 3; i++)
            common.append("server." + (i + 1) + "=127.0.0.1:" + free.get(3 * i) + ":" + free.get(3 * i + 1) + "\n");
        for (int i = 0; i < 3; i++) {
            Path place = Files.createDirectories(folder.resolve("zk" + i));
            Files.writeString(place.resolve("myid"), "" + (i + 1));
            Files.writeString(
                    place.resolve("zoo.cfg"),
                    common + "dataDir=" + place + "\nclientPortAddress=127.0.0.1\nclientPort=" + free.get(3 * i + 2)
                            + "\n");
            three.folders.add(place);
            three.ports.add(free.get(3 * i + 2));
        }
        for (int i = 0; i < 3; i++) three.start(i);
        return three;
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            sockets.add(socket);
            ports.add(socket.getLocalPort());
        }
        for (ServerSocket socket : sockets) socket.close();
        return ports;
    }

    void start(int i) throws IOException {
        if (processes.length > 1) {
            List<String> command = new ArrayList<>(List.of(ChildProcess.java()));
            command.addAll(OPTIONS);
            command.addAll(List.of("-cp", ChildProcess.classPath()));
            command.add("org.apache.zookeeper.server.quorum.QuorumPeerMain");
            command.add(folders.get(i).resolve("zoo.cfg").toString());
            processes[i] = ChildProcess.program(command.toArray(String[]::new)).start();
            return;
        }
        processes[i] = ChildProcess.jvm(
                        OPTIONS, ZooKeepers.class, folders.get(i).toString(), "" + ports.get(i))
                .start();
        String line = processes[i].line();
        if (line == null || !line.startsWith("PORT ")) throw new IOException("ZooKeeper did not start: " + line);
        ports.set(i, Integer.parseInt(line.substring(5)));
    }

    /** Kills a server, as if its machine had lost power. */
    void kill(int i) {
        processes[i].kill();
    }

    String url(String rest) {
        StringBuilder url = new StringBuilder("zk://");
        for (int port : ports)
            url.append(url.length() > 5 ? "," : "").append("127.0.0.1:").append(port);
        return url.append('/').append(rest).toString();
    }

    @Override
    public void close() {
        for (ChildProcess process : processes) if (process != null) process.close();
    }
}
