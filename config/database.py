"""python -m config.database        create the role, migrate, grant"""

from config.deployment.database import main

if __name__ == "__main__":
    main()
