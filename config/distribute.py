"""python -m config.distribute      spread a prepared database over the nodes of a Citus cluster"""

from config.deployment.distributing import main

if __name__ == "__main__":
    main()
